import type { EntityManager } from '@mikro-orm/postgresql';
import { isId } from '@payroll/kernel';
import { computed, read, sql, rawSql } from '@payroll/store';
import type { default as Provider } from 'oidc-provider';
import { LIVE_CONNECTION } from '../admission/find-callers.js';

const useOf = (grantId: string) => sql`
  with live as (
     select c.workspace_id, c.client_id
     from mcp_connection c
     ${rawSql(LIVE_CONNECTION)} and c.grant_id = ${grantId}
   ), used as (
     update oauth_client set last_used_at = now() from live
     where oauth_client.id = live.client_id
       and (oauth_client.last_used_at is null or oauth_client.last_used_at < now() - interval '1 h')
   )
   select ${computed('workspaceId', 'uuid', sql`workspace_id`)} from live`;

/**
 * The grant's workspace while everything it depends on is live. Records that the client is in use: unused ones are
 * deleted.
 */
export async function useGrant(em: EntityManager, grantId: unknown): Promise<{ workspaceId: string } | null> {
  if (!isId(grantId)) return null;
  return (await read(em, useOf(grantId)))[0] ?? null;
}

interface GrantFacts {
  /** The id that the connection already has. */
  grantId: string;
  accountId: string;
  clientId: string;
  scopes: readonly string[];
  resource: string;
}

/** Saves a person's consent for the authorization server; all tokens depend on it. */
export async function saveGrant(provider: Provider, facts: GrantFacts): Promise<void> {
  const { grantId, accountId, clientId, resource } = facts;
  const scopes = facts.scopes.join(' ');
  const grant = new provider.Grant({ accountId, clientId });
  grant.jti = grantId;
  grant.addOIDCScope(scopes);
  grant.addResourceScope(resource, scopes);
  await grant.save();
}
