import { newId } from '@payroll/kernel';
import type { CommandTransaction } from '@payroll/commands';
import { invitationOver } from '../domain/member.js';
import { requireOneStanding } from '../domain/worker-access.js';
import { WorkerAccessTable } from '../store/account-tables.js';
import { MembershipTable } from '../store/tables.js';

/** Gives the account the worker's access. @throws DomainError where the worker or the account has one already */
export async function joinAsWorker(tx: CommandTransaction, workerId: string, accountId: string): Promise<void> {
  const { workspaceId } = tx;
  if ((await tx.find(WorkerAccessTable, { workerId, endedAt: null })) !== null) throw invitationOver();
  requireOneStanding((await tx.find(MembershipTable, { accountId, leftAt: null })) !== null, 'member');
  requireOneStanding((await tx.find(WorkerAccessTable, { accountId, endedAt: null })) !== null, 'worker');
  const id = newId();
  tx.insert(WorkerAccessTable, { workspaceId, id, workerId, accountId, joinedAt: tx.now, endedAt: null });
  tx.audit('worker-access.joined', workerId, { account: accountId, access: id });
}
