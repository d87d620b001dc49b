import type { EntityManager } from '@mikro-orm/postgresql';
import { toInstant, type Instant } from '@payroll/kernel';
import { Keyset, part, readComposed, type Page } from '@payroll/store';

/** Who changed what, through what, in which request. */
export interface AuditEntry {
  id: string;
  at: Instant;
  actorKind: string;
  principalId: string;
  via: string;
  requestId: string;
  action: string;
  subjectId: string;
  /** JSON. */
  change: string;
}

export interface AuditFilters {
  subjectId?: string | null;
  principalId?: string | null;
  limit: number;
  cursor?: string | null;
}

/** Newest first. An entry never changes, so the time it was made at is its only one. */
export async function listAuditEntries(
  em: EntityManager,
  service: string,
  workspaceId: string,
  { subjectId = null, principalId = null, limit, cursor }: AuditFilters,
): Promise<Page<AuditEntry>> {
  const keyset = new Keyset({
    list: `audit of ${service}`,
    workspaceId,
    filters: { subjectId, principalId },
    limit,
    cursor,
  });
  const statement = keyset.statement(ENTRIES, 'entry', [
    subjectId && part`subject_id = ${subjectId}`,
    principalId && part`principal_id = ${principalId}`,
  ]);
  const rows = await readComposed<Row>(em, statement);
  return keyset.page(rows, ({ updatedAt: _same, createdAt: _too, at, change, ...row }) => ({
    ...row,
    at: toInstant(at),
    change: JSON.stringify(change),
  }));
}

const ENTRIES = part`select id, at, at as "createdAt", at as "updatedAt", actor_kind as "actorKind",
    principal_id as "principalId", via, request_id as "requestId", action, subject_id as "subjectId", change
  from (select *, at as created_at from audit_entry) entry`;

type Row = Omit<AuditEntry, 'change'> & { change: unknown; createdAt: string; updatedAt: string };
