import { atMost } from '../../at-most.js';
import type { Run } from '../../operations.js';
import { orUnread } from '../../workspace-context.js';
import { readPayeeOf } from '../payments/operations.js';

type Obstacle = 'payee_missing' | 'payee_unverified';

interface WorkOf {
  contract: { worker: { id: string | null } };
}

const AT_ONCE = 4;

/** By worker, why a payout to them would fail for their payout details; without those whose details cannot be read. */
export async function obstaclesOf(run: Run, works: readonly WorkOf[]): Promise<ReadonlyMap<string | null, Obstacle>> {
  const workers = [...new Set(works.flatMap(({ contract }) => contract.worker.id ?? []))];
  const found = await atMost(AT_ONCE, workers, async (workerId) => {
    const read = await orUnread(run(readPayeeOf, { workerId }));
    const status = read && (read.payees.nodes[0]?.verificationStatus ?? 'missing');
    if (status === null || status === 'verified') return [];
    return [[workerId, status === 'missing' ? 'payee_missing' : 'payee_unverified'] as const];
  });
  return new Map(found.flat());
}
