import { finding, findings, type Finding } from '@payroll/process';
import type { JetStreamAccountStats, NatsConnection } from 'nats';
import { streamManager } from './stream.js';

/** What is left must last until somebody has made room. */
const MOST_USED_SHARE = 0.8;

/** Whether JetStream is on, and has room for what a service sends. */
export async function lookAtStorage(connection: NatsConnection, service: string): Promise<Finding[]> {
  const todo = 'JetStream is off or busy with itself: the log of NATS says why; a full disk is a common reason';
  return await findings(roomFor(service), todo, async () => {
    const manager = await streamManager(connection);
    return [compareStorage(service, await manager.getAccountInfo())];
  });
}

const roomFor = (service: string): string => `JetStream has room for what ${service} tells others`;

/** Newer servers also say what streams were promised. */
type Storage = Pick<JetStreamAccountStats, 'storage' | 'limits'> & { reserved_storage?: number };

/** Exported for its test. An account without a limit of its own has the disk of its server: `npm run doctor` looks at that. */
export function compareStorage(service: string, { storage, reserved_storage: reserved = 0, limits }: Storage): Finding {
  const limit = limits.max_storage;
  const used = Math.max(storage, reserved);
  return finding(
    roomFor(service),
    limit <= 0 || used < MOST_USED_SHARE * limit,
    `${mebibytes(storage)} are used and ${mebibytes(reserved)} reserved, of ${mebibytes(limit)} that the account may have`,
    'have the limit of the NATS account raised; meanwhile events wait in the outboxes, and nothing is lost',
  );
}

function mebibytes(bytes: number): string {
  return `${Math.ceil(bytes / 2 ** 20)} MiB`;
}
