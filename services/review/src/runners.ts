import type { EntityManager } from '@mikro-orm/postgresql';
import type { Commands } from '@payroll/commands';
import { DomainError, errorForLog, type Instant, newId, systemOrigin } from '@payroll/kernel';
import {
  Calendar,
  deferWork,
  notDeferred,
  roundTime,
  type ServiceDependencies,
  startBackgroundJob,
} from '@payroll/service';
import { columnOf, columns, computed, read, sql, type Sql, write } from '@payroll/store';
import { approveTimesheet } from './commands/review-timesheet.js';
import { versionOf } from './domain/work.js';
import { TimesheetTable } from './store/tables.js';

export const APPROVE_BY_RULES = 'approve-by-rules';

/** Upper bound on how long submitted work waits once a rule is due. */
const EVERY_MS = 1_000;
/** Concurrent approvals; each may wait a second for payments to confirm the event. */
const AT_ONCE = 8;

type Parts = Pick<ServiceDependencies, 'em' | 'commands' | 'log' | 'deployment'>;

/**
 * Approves submitted work by the contracts' rules, as the system. Safe in several processes: a version is approved
 * once.
 */
export function startAutoApproval(parts: Parts): AsyncDisposable {
  const work = (stopping: AbortSignal): Promise<void> => runAutoApproval(parts, stopping);
  return startBackgroundJob({ name: APPROVE_BY_RULES, everyMs: EVERY_MS, work, log: parts.log });
}

/** One round over all due work. Work that cannot be approved is deferred and does not block the rest. */
export async function runAutoApproval({ em, commands, log, deployment }: Parts, stopping?: AbortSignal): Promise<void> {
  const requestId = `rules-${newId()}`;
  const calendar = new Calendar({ deployment });
  const isOver = roundTime();
  let due = await dueForApproval(em, calendar);
  while (due.length > 0 && !stopping?.aborted && !isOver()) {
    await Promise.all(
      due.map(async (each) => {
        try {
          await approveDue(commands, each, requestId);
        } catch (error) {
          log.warn({ timesheetId: each.id, error: errorForLog(error) }, 'Work could not be approved by its rule');
          await deferWork(em, { runner: APPROVE_BY_RULES, ...each }, error);
        }
      }),
    );
    due = await dueForApproval(em, calendar, due.at(-1));
  }
}

async function approveDue(
  commands: Commands,
  { workspaceId, id, version, daysAhead }: DueForApproval,
  requestId: string,
): Promise<void> {
  try {
    const input = { id, expectedVersion: version, byRule: { daysAhead } };
    await commands.run(approveTimesheet, input, systemOrigin(workspaceId, 'runner', requestId));
  } catch (error) {
    if (error instanceof DomainError && DECIDED.has(error.code)) return;
    throw error;
  }
}

/** Not failures: someone else decided first, or the terms have changed. */
const DECIDED: ReadonlySet<string> = new Set(['STALE_RESOURCE_VERSION', 'INVALID_STATE']);

interface DueForApproval {
  workspaceId: string;
  id: string;
  approveAt: Instant;
  version: string;
  /** Days that the workspace's calendar has advanced since the submission. */
  daysAhead: number;
}

/** Uses Postgres' clock; longest due first, after the last row seen. Takes no locks: each command checks again. */
async function dueForApproval(
  em: EntityManager,
  calendar: Calendar,
  after?: DueForApproval,
): Promise<DueForApproval[]> {
  const ahead = sql`greatest(0, ${calendar.of(columnOf(TimesheetTable, 'workspaceId'))} - timesheet.days_ahead)`;
  const isNext = sql`(approve_at, id) > (${after?.approveAt ?? '-infinity'}, ${after?.id ?? '00000000-0000-0000-0000-000000000000'})
    and ${notDeferred(APPROVE_BY_RULES, TimesheetTable)}`;
  // Use a subquery: clock_timestamp() itself is volatile, so Postgres could not use it as an index bound.
  const now = sql`(select clock_timestamp())`;
  const first = sql`order by approve_at, id limit ${AT_ONCE}`;
  const due = await read(
    em,
    sql`select ${columns(TimesheetTable, 'workspaceId', 'id', 'revision')}, ${computed('approveAt', 'timestamptz', sql`approve_at`)},
        ${computed('daysAhead', 'int', ahead)}
      from (
        (select * from timesheet where approve_at <= ${now} and ${isNext} ${first})
        union all
        (select early.* from ${calendar.moved} cross join lateral (
          select * from (${dueAhead(now)}) timesheet where ${isNext} ${first}
        ) early)
      ) timesheet ${first}`,
  );
  return due.map(({ revision, ...row }) => ({ ...row, version: versionOf(row.id, revision) }));
}

/**
 * Work that only the workspace's advanced calendar makes due. Without `offset 0` the outer limit would make Postgres
 * scan the submitted work of all workspaces in order until it finds enough of this one.
 */
function dueAhead(now: Sql): Sql {
  return sql`
    select * from timesheet
    where timesheet.workspace_id = calendar.workspace_id and approve_at > ${now}
      and (approve_at at time zone 'UTC') + timesheet.days_ahead * interval '1 day'
        <= (${now} at time zone 'UTC') + calendar.days_ahead * interval '1 day'
    offset 0`;
}

const FORGET_EVERY_MS = 3_600_000;

/** Deletes drafts of timesheets that were not submitted within 180 days. */
export function deleteExpiredDrafts({ em, log }: Pick<ServiceDependencies, 'em' | 'log'>): AsyncDisposable {
  const work = async (): Promise<void> => {
    await write(em, sql`delete from timesheet_draft where saved_at < now() - interval '180 days'`);
  };
  return startBackgroundJob({ name: 'forget-drafts', everyMs: FORGET_EVERY_MS, work, log });
}
