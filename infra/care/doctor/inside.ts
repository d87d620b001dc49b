import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { finding, findings, type Finding } from '@payroll/process';
import { definitionOf, processes, repositoryRoot, type ProcessName } from '../../local/processes.js';
import { environmentBeside, runningStack, stackDir, type StackFile } from '../../local/stack-file.js';
import { StartupError } from '../../local/startup-error.js';
import { containersOf, docker, findContainers } from '../containers.js';

/** How to reach what runs behind the public addresses. */
export interface Inside {
  /** Runs one of a process's commands where, and as, that process runs. */
  readonly run: (name: ProcessName, ...args: string[]) => Promise<string>;
  /** How much room is left where JetStream writes; null where that is no machine of ours. */
  readonly freeBytes: () => Promise<number | null>;
}

/** Each process that has tables looks at its own database and streams, with its own rights. */
export async function lookAtServices(run: Inside['run']): Promise<Finding[]> {
  const owners = processes.filter(({ schema }) => schema !== undefined);
  return (await Promise.all(owners.map(({ name }) => lookAtService(name, run)))).flat();
}

async function lookAtService(service: ProcessName, run: Inside['run']): Promise<Finding[]> {
  try {
    return JSON.parse(await run(service, 'doctor', '--json')) as Finding[];
  } catch (error) {
    // With findings it ends with 1.
    const { stdout, message } = error as Partial<{ stdout: string; message: string }>;
    if (stdout?.startsWith('[')) return JSON.parse(stdout) as Finding[];
    const seen = message?.split('\n').at(-1) ?? '';
    return [{ ok: false, what: `${service} can be asked`, seen, todo: `is ${service} running? its log says more` }];
  }
}

/** Less is used up in a day of a busy deployment, and NATS stops taking events before the disk is full. */
const LEAST_FREE_BYTES = 2 ** 30;
const WHAT = 'the disk of NATS has room';

/** The disk that JetStream writes to, which none of its users can ask for. */
export async function lookAtDisk(freeBytes: Inside['freeBytes']): Promise<Finding[]> {
  return await findings(WHAT, 'does NATS run? its log says more', async () => {
    const free = await freeBytes();
    if (free === null) return [];
    const seen = `${Math.floor(free / 2 ** 20)} MiB are free`;
    const todo = 'make room there; meanwhile events wait in the outboxes, and nothing is lost';
    return [finding(WHAT, free >= LEAST_FREE_BYTES, seen, todo)];
  });
}

/** @throws StartupError where it is not known what runs. */
export function insideOf(project: string | undefined): Inside {
  if (project !== undefined) return inContainers(project);
  const { postgres, nats } = runningStack() ?? {};
  if (postgres === undefined || nats === undefined) {
    throw new StartupError('the services run elsewhere: name their compose project with --project');
  }
  return besideStack({ postgres, nats });
}

function inContainers(project: string): Inside {
  return {
    run: async (service, ...args) => {
      const [container] = await containersOf(project, service);
      const node = ['node', '--env-file=/run/payroll/environment', definitionOf(service).entry];
      return await docker('exec', container!, ...node, ...args);
    },
    freeBytes: async () => {
      const [container] = await findContainers(project, 'nats');
      if (container === undefined) return null;
      // POSIX: a heading, then size, used and available in KiB.
      const [, line = ''] = (await docker('exec', container, 'df', '-Pk', '/data')).split('\n');
      return Number(line.split(/\s+/)[3]) * 1_024;
    },
  };
}

/** Beside the processes of `npm start`, with the secrets that it keeps. */
function besideStack(stack: Pick<StackFile, 'postgres' | 'nats'>): Inside {
  return {
    run: async (service, ...args) => {
      const node = [join(repositoryRoot, definitionOf(service).entry), ...args];
      const env = environmentBeside(stack, service);
      return (await promisify(execFile)(process.execPath, node, { env })).stdout;
    },
    freeBytes: async () => {
      const store = join(stackDir(), 'nats');
      if (!existsSync(store)) return null;
      const { bavail, bsize } = await statfs(store);
      return bavail * bsize;
    },
  };
}
