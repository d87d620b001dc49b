import type { EntityManager } from '@mikro-orm/postgresql';
import { toInstant, type Instant } from '@payroll/kernel';
import { notSetAside } from '@payroll/service';
import { sql } from 'kysely';
import { versionOf, type Version } from '../domain/version.js';

/** The runner's name. */
export const APPROVE_BY_RULES = 'approve-by-rules';

export interface DueForApproval {
  workspaceId: string;
  id: string;
  approveAt: Instant;
  version: Version;
}

/**
 * Submitted timesheets of all workspaces that a rule approves by now, by Postgres' clock, the longest due first, after the
 * last one that was looked at. Nothing is locked: each is looked at again by its own command.
 */
export async function dueForApproval(
  em: EntityManager,
  after: DueForApproval | undefined,
  limit: number,
): Promise<DueForApproval[]> {
  const { rows } = await sql<Omit<DueForApproval, 'version'> & { revision: number }>`
    select workspace_id as "workspaceId", id, approve_at as "approveAt", revision from timesheet
    where approve_at <= clock_timestamp() and (approve_at, id) > (${after?.approveAt ?? '-infinity'}, ${after?.id ?? FIRST_ID})
      and ${notSetAside(APPROVE_BY_RULES, 'timesheet')}
    order by approve_at, id limit ${limit}`.execute(em.getKysely());
  return rows.map(({ revision, approveAt, ...row }) => ({
    ...row,
    approveAt: toInstant(approveAt),
    version: versionOf(row.id, revision),
  }));
}

const FIRST_ID = '00000000-0000-0000-0000-000000000000';
