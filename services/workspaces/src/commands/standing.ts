import { newId } from '@payroll/kernel';
import type { CommandTransaction } from '@payroll/commands';
import { rawSql, sql } from '@payroll/store';
import { invitationOver, requireOneStanding } from '../domain/member.js';
import { WorkerAccessTable } from '../store/account-tables.js';

/** Gives the account the worker's access. @throws DomainError where the worker or the account has one already */
export async function joinAsWorker(tx: CommandTransaction, workerId: string, accountId: string): Promise<void> {
  const { workspaceId } = tx;
  if ((await tx.find(WorkerAccessTable, { workerId, endedAt: null })) !== null) throw invitationOver();
  await requireNoStanding(tx, accountId, 'member');
  requireOneStanding((await tx.find(WorkerAccessTable, { accountId, endedAt: null })) !== null, 'worker');
  const id = newId();
  tx.insert(WorkerAccessTable, { workspaceId, id, workerId, accountId, joinedAt: tx.now, endedAt: null });
  tx.audit('worker-access.joined', workerId, { account: accountId, access: id });
}

const PLACES = {
  member: 'membership where left_at is null',
  worker: 'worker_access where ended_at is null',
} as const;

/**
 * A person is an e-mail address (ADR 18), which any number of accounts may have.
 * @throws DomainError `INVALID_STATE` if the account, or another one with its address, is one here
 */
export async function requireNoStanding(
  tx: CommandTransaction,
  accountId: string,
  standing: keyof typeof PLACES,
): Promise<void> {
  const found = await tx.read(sql`
    select from (select workspace_id, account_id from ${rawSql(PLACES[standing])}) place
    join account on account.id = place.account_id
    where place.workspace_id = ${tx.workspaceId} and account.email = (select email from account where id = ${accountId})
    limit 1`);
  requireOneStanding(found.length > 0, standing);
}
