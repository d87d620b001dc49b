import { type EventBody, newEvent } from '@payroll/events';
import { NOBODY, notFound, SYSTEM_ONLY } from '@payroll/kernel';
import { defineCommand } from '@payroll/commands';
import { sql } from '@payroll/store';
import { tellAccount } from '../mail/outbox.js';
import { WorkerAccessTable } from '../store/account-tables.js';
import { PayoutStopTable } from '../store/mail-tables.js';
import { removePassword } from './accounts.js';

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
  who: { ...NOBODY, own: ({ accountId }: Stop) => accountId },
  decide: async (tx, { accountId, changeId }: Stop): Promise<void> => {
    if (!(await tx.find(PayoutStopTable, { accountId, changeId }))) throw notFound('The link');
    await removePassword(tx, accountId);
    tx.audit('account.password-removed', accountId, { changeId });
    tx.emit(newEvent('payout-change.stopped', changeId, { changeId }));
  },
});
