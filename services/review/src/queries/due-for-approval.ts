import type { EntityManager } from '@mikro-orm/postgresql';
import type { Instant } from '@payroll/kernel';
import { notSetAside } from '@payroll/service';
import { as, columns, read, sql } from '@payroll/store';
import { versionOf } from '../domain/work.js';
import { TimesheetTable } from '../store/tables.js';

export const APPROVE_BY_RULES = 'approve-by-rules';

export interface DueForApproval {
  workspaceId: string;
  id: string;
  approveAt: Instant;
  version: string;
}

/** By Postgres' clock, the longest due first, after the last one seen. No locks: each command checks again. */
export async function dueForApproval(
  em: EntityManager,
  after: DueForApproval | undefined,
  limit: number,
): Promise<DueForApproval[]> {
  const due = await read(
    em,
    sql`select ${columns(TimesheetTable, 'workspaceId', 'id', 'revision')}, ${as('approveAt', 'timestamptz', sql`approve_at`)}
      from timesheet
      where approve_at <= clock_timestamp()
        and (approve_at, id) > (${after?.approveAt ?? '-infinity'}, ${after?.id ?? '00000000-0000-0000-0000-000000000000'})
        and ${notSetAside(APPROVE_BY_RULES, TimesheetTable)}
      order by approve_at, id limit ${limit}`,
  );
  return due.map(({ revision, ...row }) => ({ ...row, version: versionOf(row.id, revision) }));
}
