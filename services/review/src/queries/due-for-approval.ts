import type { EntityManager } from '@mikro-orm/postgresql';
import type { Instant } from '@payroll/kernel';
import { type Calendar, notDeferred } from '@payroll/service';
import { as, columnOf, columns, read, sql } from '@payroll/store';
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
  const due = await read(
    em,
    sql`select ${columns(TimesheetTable, 'workspaceId', 'id', 'revision')}, ${as('approveAt', 'timestamptz', sql`approve_at`)},
        ${as('daysAhead', 'int', ahead)}
      from timesheet
      where approve_at <= clock_timestamp() + ${calendar.most} * interval '1 day'
        and approve_at <= clock_timestamp() + ${ahead} * interval '1 day'
        and (approve_at, id) > (${after?.approveAt ?? '-infinity'}, ${after?.id ?? '00000000-0000-0000-0000-000000000000'})
        and ${notDeferred(APPROVE_BY_RULES, TimesheetTable)}
      order by approve_at, id limit ${limit}`,
  );
  return due.map(({ revision, ...row }) => ({ ...row, version: versionOf(row.id, revision) }));
}
