import type { EntityName, FilterQuery, InferEntity, Loaded } from '@mikro-orm/core';
import { DomainError, isId, notFound, type Actor } from '@payroll/kernel';
import type { CommandTransaction } from '@payroll/commands';
import { sql } from 'kysely';
import { RECENT } from '../accounts/sessions.js';
import { McpConnectionTable } from '../store/oauth-tables.js';
import { ApiKeyTable } from '../store/tables.js';

/** Makes the pages ask for the password. */
export const PASSWORD_NOT_RECENT = { path: 'password', code: 'not_recent' } as const;

/**
 * Giving access takes a password given in this browser a short time ago, by the database's clock: others may find it
 * signed in. Internal teams have no password here.
 * @throws DomainError `INSUFFICIENT_SCOPE`
 */
export async function requireRecentPassword({ em, origin: { actor } }: CommandTransaction): Promise<void> {
  if (actor.kind !== 'person') return;
  const { rows } = await sql`
    select from session s
    join membership m on m.account_id = s.account_id
    where s.id = ${actor.sessionId} and s.authenticated_at > clock_timestamp() - ${RECENT}::interval
      and m.workspace_id = ${actor.workspaceId} and m.id = ${actor.principalId}`.execute(em.getKysely());
  if (rows.length > 0) return;
  throw new DomainError('INSUFFICIENT_SCOPE', 'Give your password again first.', { details: [PASSWORD_NOT_RECENT] });
}

/** Admins end every connection, members their own; they do not learn that others' exist. */
export function requireConnectionManager(actor: Actor, membershipId: string): void {
  if (actor.kind === 'person' && actor.role !== 'admin' && actor.principalId !== membershipId) {
    throw notFound('The connection');
  }
}

/** A row of the workspace. @throws DomainError `NOT_FOUND` */
export async function findOwn<Entity extends { workspaceId: string; id: string }>(
  { em, workspaceId }: CommandTransaction,
  table: EntityName<Entity>,
  id: string,
  name: string,
): Promise<Loaded<Entity>> {
  const found = isId(id) ? await em.findOne(table, { workspaceId, id } as FilterQuery<Entity>) : null;
  if (!found) throw notFound(name);
  return found;
}

export function endKey(tx: CommandTransaction, key: InferEntity<typeof ApiKeyTable>): void {
  key.revokedAt = tx.now;
  tx.audit('api-key.revoked', key.id, { revokedAt: { from: null, to: tx.now } });
}

/** Also ends every code and refresh token that was given for it; its access tokens find no connection any more. */
export async function endConnection(
  tx: CommandTransaction,
  connection: InferEntity<typeof McpConnectionTable>,
): Promise<void> {
  connection.revokedAt = tx.now;
  tx.audit('mcp-connection.revoked', connection.id, { revokedAt: { from: null, to: tx.now } });
  await sql`
    delete from oauth_artifact a using mcp_grant g
    where g.connection_id = ${connection.id} and a.grant_id = g.id`.execute(tx.em.getKysely());
}

/** Ends the keys and connections that act for a membership, for ever. */
export async function endAccess(tx: CommandTransaction, membershipId: string): Promise<void> {
  const ofMember = { workspaceId: tx.workspaceId, membershipId, revokedAt: null };
  for (const key of await tx.em.find(ApiKeyTable, ofMember)) endKey(tx, key);
  for (const connection of await tx.em.find(McpConnectionTable, ofMember)) await endConnection(tx, connection);
}
