import type { EntityManager } from '@mikro-orm/postgresql';
import { isDomainError, errorForLog, newId, systemOrigin } from '@payroll/kernel';
import type { ServiceDependencies } from '@payroll/service';
import { computed, columns, read, sql, write } from '@payroll/store';
import { closeAccount } from '../commands/accounts.js';
import { NO_WORKSPACE } from '../commands/installation.js';
import { removeMember } from '../commands/members.js';
import { endClosedAccess } from '../commands/worker-access.js';
import { AccountTable } from '../store/account-tables.js';
import { unknownPassword } from './passwords.js';

/** In one round; the others follow in the next. */
const AT_ONCE = 100;

type Parts = Pick<ServiceDependencies, 'em' | 'commands' | 'log'>;

/**
 * Closes due accounts, and then ends their places in workspaces, each by the command that an admin would use. Safe in
 * several processes at once: the account's row says what is left to do.
 */
export async function closeDue(parts: Parts, stopping: AbortSignal): Promise<void> {
  const due = await read(
    parts.em,
    sql`select ${columns(AccountTable, 'id')} from account where closes_at <= clock_timestamp()
      order by closes_at limit ${AT_ONCE}`,
  );
  const failures: unknown[] = [];
  for (const { id } of due) {
    if (stopping.aborted) return;
    // One that cannot be closed does not keep the others open; the round still counts as failed.
    await close(parts, id).catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
}

async function close({ em, commands, log }: Parts, accountId: string): Promise<void> {
  const origin = systemOrigin(NO_WORKSPACE, 'runner', newId());
  await commands.run(closeAccount, { accountId, passwordHash: unknownPassword() }, origin);
  for (const place of await placesOf(em, accountId)) {
    const inWorkspace = systemOrigin(place.workspaceId, 'runner', newId());
    const ended =
      place.workerId === null
        ? commands.run(removeMember, { id: place.id }, inWorkspace)
        : commands.run(endClosedAccess, { id: place.id }, inWorkspace);
    await ended.catch((error: unknown) => {
      // Another process has ended it.
      if (isDomainError(error, 'NOT_FOUND')) return;
      log.warn({ workspaceId: place.workspaceId, error: errorForLog(error) }, 'A place of a closed account is left');
    });
  }
  if ((await placesOf(em, accountId)).length === 0) {
    await write(em, sql`update account set closes_at = null where id = ${accountId} and closed_at is not null`);
  }
}

/** The memberships and accesses that a closed account still has. */
async function placesOf(em: EntityManager, accountId: string) {
  return await read(
    em,
    sql`select ${computed('workspaceId', 'uuid', sql`workspace_id`)}, ${computed('id', 'uuid', sql`place.id`)}, ${computed('workerId', 'uuid?', sql`worker_id`)}
      from (
        select workspace_id, id, null::uuid as worker_id from membership
          where account_id = ${accountId} and left_at is null
        union all
        select workspace_id, id, worker_id from worker_access where account_id = ${accountId} and ended_at is null) place
      where exists (select from account where id = ${accountId} and closed_at is not null)`,
  );
}
