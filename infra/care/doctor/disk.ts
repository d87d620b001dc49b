import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { finding, findings, type Finding } from '@payroll/process';
import { docker, findContainers } from '../load/containers.js';

/** Less is used up in a day of a busy deployment, and NATS stops taking events before the disk is full. */
const LEAST_FREE_BYTES = 2 ** 30;
const WHAT = 'the disk of NATS has room';

/** How much room is left where JetStream writes; null where that is no machine of ours. */
export type FreeBytes = () => Promise<number | null>;

/** The disk that JetStream writes to, which none of its users can ask for. */
export async function lookAtDisk(freeBytes: FreeBytes): Promise<Finding[]> {
  return await findings(WHAT, 'does NATS run? its log says more', async () => {
    const free = await freeBytes();
    if (free === null) return [];
    const seen = `${Math.floor(free / 2 ** 20)} MiB are free`;
    const todo = 'make room there; meanwhile events wait in the outboxes, and nothing is lost';
    return [finding(WHAT, free >= LEAST_FREE_BYTES, seen, todo)];
  });
}

/** Beside the server of `npm start`. */
export function freeBeside(dir: string): FreeBytes {
  return async () => {
    const store = join(dir, 'nats');
    if (!existsSync(store)) return null;
    const { bavail, bsize } = await statfs(store);
    return bavail * bsize;
  };
}

/** In the container of a compose project. */
export function freeInContainer(project: string): FreeBytes {
  return async () => {
    const [container] = await findContainers(project, 'nats');
    if (container === undefined) return null;
    // POSIX: a heading, then size, used and available in KiB.
    const [, line = ''] = (await docker('exec', container, 'df', '-Pk', '/data')).split('\n');
    return Number(line.split(/\s+/)[3]) * 1_024;
  };
}
