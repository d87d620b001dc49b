import type { EntityManager } from '@mikro-orm/postgresql';
import { toInstant, type Instant } from '@payroll/kernel';
import { Keyset, type Page, type Rows, type Schema, type writePathTables } from '@payroll/store';

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

type AuditRows = Rows<Schema<typeof writePathTables>>;

/** Newest first. An entry never changes, so the time it was made at is its only one. */
export async function listAuditEntries(
  em: EntityManager,
  workspaceId: string,
  { subjectId = null, principalId = null, limit, cursor }: AuditFilters,
): Promise<Page<AuditEntry>> {
  const keyset = new Keyset({ workspaceId, filters: { subjectId, principalId }, limit, cursor });
  const db = em.getKysely<AuditRows>();
  let entries = db
    .selectFrom('audit_entry')
    .where('workspace_id', '=', workspaceId)
    .selectAll()
    .select(['at as created_at', 'at as createdAt', 'at as updatedAt']);
  if (subjectId !== null) entries = entries.where('subject_id', '=', subjectId);
  if (principalId !== null) entries = entries.where('principal_id', '=', principalId);
  const rows = await db
    .selectFrom(entries.as('entry'))
    .where(keyset.where('entry'))
    .selectAll()
    .orderBy(keyset.orderBy('entry'))
    .limit(keyset.rowLimit)
    .execute();
  return keyset.page(rows, (row) => ({
    id: row.id,
    at: toInstant(row.at),
    actorKind: row.actor_kind,
    principalId: row.principal_id,
    via: row.via,
    requestId: row.request_id,
    action: row.action,
    subjectId: row.subject_id,
    change: JSON.stringify(row.change),
  }));
}
