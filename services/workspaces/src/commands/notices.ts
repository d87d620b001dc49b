import { defineCommand } from '@payroll/commands';
import { type EventBody, newEvent } from '@payroll/events';
import { DENY_ALL, notFound, SYSTEM_ONLY } from '@payroll/kernel';
import { sql } from '@payroll/store';
import { AUDIENCES } from '../domain/notice.js';
import { tellAccount, tellPeople } from '../mail/outbox.js';
import { WorkerAccessTable } from '../store/account-tables.js';
import { PayoutStopTable } from '../store/mail-tables.js';
import { removePassword } from './accounts.js';

type Notice = EventBody<'notice.contract' | 'notice.work' | 'notice.payment'>;

/** Keeps the notice for the worker, if they sign in to the workspace, or for its admins. */
export const keepNotice = defineCommand('notice.keep', {
  who: SYSTEM_ONLY,
  decide: (tx, { kind, aboutId, workerId }: Notice): void => {
    const { workspaceId } = tx;
    const recipients =
      AUDIENCES[kind] === 'worker'
        ? sql`select account_id from worker_access
            where workspace_id = ${workspaceId} and worker_id = ${workerId} and ended_at is null`
        : sql`select account_id from membership
            where workspace_id = ${workspaceId} and role = 'admin' and left_at is null and account_id is not null`;
    tellPeople(tx, recipients, { kind, aboutId });
  },
});

/** Mails a worker who signs in that their payout details were changed. No choice of mail applies. */
export const tellPayoutChange = defineCommand('payout-change.tell', {
  who: SYSTEM_ONLY,
  decide: async (tx, { changeId, workerId, until }: EventBody<'notice.payout-change'>): Promise<void> => {
    const access = await tx.find(WorkerAccessTable, { workerId, endedAt: null });
    if (!access) return;
    const { accountId } = access;
    tx.write(sql`insert into payout_stop (change_id, workspace_id, account_id, until)
      values (${changeId}, ${tx.workspaceId}, ${accountId}, ${until})
      on conflict (change_id) do update set account_id = excluded.account_id,
        until = greatest(payout_stop.until, excluded.until)`);
    const about = { kind: 'payout_details_changed', aboutId: changeId } as const;
    tx.write(tellAccount({ sourceId: tx.operationId, accountId, ...about }));
  },
});

interface Stop {
  accountId: string;
  changeId: string;
}

/**
 * With the link that was mailed to the worker. Ends all that a thief of the session or the password could go on with, and
 * tells payments, which decides whether the change is still on hold (`PAYOUT_CHANGE_QUESTION`).
 */
export const stopPayoutChange = defineCommand('payout-change.stop', {
  who: { ...DENY_ALL, own: ({ accountId }: Stop) => accountId },
  decide: async (tx, { accountId, changeId }: Stop): Promise<void> => {
    if (!(await tx.find(PayoutStopTable, { accountId, changeId }))) throw notFound('The link');
    await removePassword(tx, accountId);
    tx.audit('account.password-removed', accountId, { changeId });
    tx.emit(newEvent('payout-change.stopped', changeId, { changeId }));
  },
});
