import type { KeyObject } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { DomainError, newId, SCOPES, systemOrigin } from '@payroll/kernel';
import type { ServiceDependencies } from '@payroll/service';
import { computed, read, sql } from '@payroll/store';
import { KeyRing } from '../oauth/key-ring.js';
import { deriveKey } from '../oauth/sealed-box.js';
import type { OauthSettings } from '../oauth/settings.js';
import { requestClient, connectAssistant } from '../commands/connections.js';
import { displayName } from '../domain/oauth-client.js';
import type { ConnectionAdmissionOptions } from './handle-connections.js';
import { outsideIssuer, ownIssuer, type TokenFacts } from './token-issuer.js';

export function connectionAdmission(
  { em, commands }: Pick<ServiceDependencies, 'em' | 'commands'>,
  settings: OauthSettings,
): ConnectionAdmissionOptions {
  const { issuer, mcpUrl, secret, outside } = settings;
  return {
    em,
    issuer: outside ? outsideIssuer(outside) : ownIssuer(new KeyRing(em, secret), { issuer, audience: mcpUrl }),
    assertionKey: assertionKey(secret),
    connectNew: outside && ((token) => connectExternal({ em, commands }, token)),
    now: () => new Date(),
  };
}

/** Shared by all processes of this service only. */
export function assertionKey(secret: KeyObject): KeyObject {
  return deriveKey(secret, 'assertions');
}

/**
 * With an external issuer there is no consent page: an enabled client is connected when a member first uses it. A
 * revoked connection stays revoked until it is renewed on the Connections page, because a refreshed token looks like
 * a new sign-in.
 * @returns whether a connection exists now
 * @throws DomainError `INSUFFICIENT_SCOPE` when no admin has enabled the client.
 */
async function connectExternal(
  { em, commands }: Pick<ServiceDependencies, 'em' | 'commands'>,
  token: TokenFacts,
): Promise<boolean> {
  const standing = await findStanding(em, token);
  if (!standing || standing.hasHad) return false;
  const { membershipId, status } = standing;
  const { clientId, subject } = token;
  const client = { id: clientId, name: displayName(clientId, []), hosts: [] };
  const origin = systemOrigin(token.workspaceId, 'runner', newId());
  if (status !== 'enabled') {
    if (status === null) await commands.run(requestClient, client, origin);
    throw new DomainError('INSUFFICIENT_SCOPE', 'No admin of the workspace has enabled this client.');
  }
  const input = { membershipId, subject, client, scopes: SCOPES, enable: false, grantId: null };
  await commands.run(connectAssistant, input, origin);
  return true;
}

/** Whether the member ever had a connection of the client, and the client's status in the workspace. */
async function findStanding(em: EntityManager, { workspaceId, clientId, email }: TokenFacts) {
  if (email === null) return null;
  const hasHad = sql`exists (
    select from mcp_connection c
    where c.workspace_id = m.workspace_id and c.client_id = ${clientId} and c.membership_id = m.id)`;
  const [standing] = await read(
    em,
    sql`select ${computed('membershipId', 'uuid', sql`m.id`)}, ${computed('status', 'text?', sql`k.status`)}, ${computed('hasHad', 'boolean', hasHad)}
      from membership m
      left join mcp_client k on k.workspace_id = m.workspace_id and k.id = ${clientId}
      where m.workspace_id = ${workspaceId} and m.email = ${email} and m.left_at is null`,
  );
  return standing ?? null;
}
