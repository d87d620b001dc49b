import type { EventBody } from '@payroll/events';
import { SYSTEM_ONLY } from '@payroll/kernel';
import { defineCommand } from '@payroll/commands';
import { sql } from '@payroll/store';
import { AUDIENCES } from '../domain/notice.js';
import { tellPeople } from '../mail/outbox.js';

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
