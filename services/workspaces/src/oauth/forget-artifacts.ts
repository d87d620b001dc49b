import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

/**
 * Drops what is over: artifacts whose time has come, grants that no token can belong to any more, and clients that
 * nobody uses, as anybody may register any number. A client that a workspace knows stays.
 */
export async function forgetArtifacts(em: EntityManager): Promise<void> {
  const rows = em.getKysely();
  await sql`delete from oauth_artifact where expires_at < now()`.execute(rows);
  await sql`
    delete from mcp_grant g
    where created_at < now() - interval '1 h'
      and not exists (select from oauth_artifact a where a.kind = 'Grant' and a.grant_id = g.id)`.execute(rows);
  await sql`
    delete from oauth_client c
    where coalesce(last_used_at + interval '90 days', created_at + interval '1 day') < now()
      and not exists (
        select from mcp_client k
        where k.id = c.id and (k.status = 'enabled' or (k.status = 'asked' and k.changed_at > now() - interval '30 days')))`.execute(
    rows,
  );
}
