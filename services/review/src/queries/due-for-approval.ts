import type { EntityManager } from '@mikro-orm/postgresql';
import type { Instant } from '@payroll/kernel';
import { type Calendar, notDeferred } from '@payroll/service';
import { computed, columnOf, columns, read, sql, type Sql } from '@payroll/store';
import { versionOf } from '../domain/work.js';
import { TimesheetTable } from '../store/tables.js';

export const APPROVE_BY_RULES = 'approve-by-rules';

export interface DueForApproval {
  workspaceId: string;
  id: string;
  approveAt: Instant;
  version: string;
  /** Days that the workspace's calendar has advanced since the submission. */
  daysAhead: number;
}

/** Uses Postgres' clock; longest due first, after the last row seen. Takes no locks: each command checks again. */
export async function dueForApproval(
  em: EntityManager,
  calendar: Calendar,
  after: DueForApproval | undefined,
  limit: number,
): Promise<DueForApproval[]> {
  const ahead = sql`greatest(0, ${calendar.of(columnOf(TimesheetTable, 'workspaceId'))} - timesheet.days_ahead)`;
  const isNext = sql`(approve_at, id) > (${after?.approveAt ?? '-infinity'}, ${after?.id ?? '00000000-0000-0000-0000-000000000000'})
    and ${notDeferred(APPROVE_BY_RULES, TimesheetTable)}`;
  // Use a subquery: clock_timestamp() itself is volatile, so Postgres could not use it as an index bound.
  const now = sql`(select clock_timestamp())`;
  const first = sql`order by approve_at, id limit ${limit}`;
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
