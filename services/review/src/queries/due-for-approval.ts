import type { EntityManager } from '@mikro-orm/postgresql';
import type { Instant } from '@payroll/kernel';
import { type Calendar, notDeferred } from '@payroll/service';
import { as, columnOf, columns, read, sql, type Sql } from '@payroll/store';
import { versionOf } from '../domain/work.js';
import { TimesheetTable } from '../store/tables.js';

export const APPROVE_BY_RULES = 'approve-by-rules';

export interface DueForApproval {
  workspaceId: string;
  id: string;
  approveAt: Instant;
  version: string;
  /** Of its workspace's calendar, since it was handed in. */
  daysAhead: number;
}

/** By Postgres' clock, the longest due first, after the last one seen. No locks: each command checks again. */
export async function dueForApproval(
  em: EntityManager,
  calendar: Calendar,
  after: DueForApproval | undefined,
  limit: number,
): Promise<DueForApproval[]> {
  const ahead = sql`greatest(0, ${calendar.of(columnOf(TimesheetTable, 'workspaceId'))} - timesheet.days_ahead)`;
  const isNext = sql`(approve_at, id) > (${after?.approveAt ?? '-infinity'}, ${after?.id ?? '00000000-0000-0000-0000-000000000000'})
    and ${notDeferred(APPROVE_BY_RULES, TimesheetTable)}`;
  // A subquery: clock_timestamp() itself is volatile, so no index could be read up to it.
  const now = sql`(select clock_timestamp())`;
  const first = sql`order by approve_at, id limit ${limit}`;
  const due = await read(
    em,
    sql`select ${columns(TimesheetTable, 'workspaceId', 'id', 'revision')}, ${as('approveAt', 'timestamptz', sql`approve_at`)},
        ${as('daysAhead', 'int', ahead)}
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
 * What its own calendar makes due in a workspace that is ahead. Without `offset 0` the limit around it would have Postgres read
 * what waits in all workspaces in its order, until it finds enough of this one.
 */
function dueAhead(now: Sql): Sql {
  return sql`
    select * from timesheet
    where timesheet.workspace_id = calendar.workspace_id and approve_at > ${now}
      and (approve_at at time zone 'UTC') + timesheet.days_ahead * interval '1 day'
        <= (${now} at time zone 'UTC') + calendar.days_ahead * interval '1 day'
    offset 0`;
}
