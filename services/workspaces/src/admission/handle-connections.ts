import type { KeyObject } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { formatAssertion, type ConnectionResponse, type ConnectionRequest } from '@payroll/admission';
import { DomainError, newId, SCOPES, systemOrigin } from '@payroll/kernel';
import { cellHint } from '@payroll/runtime';
import { findCallers, type Connection, type Found, type Presented } from './find-callers.js';
import { networkOf } from './rate-counters.js';
import { effectiveScopes, scopesOfToken, displayName } from '../domain/connection.js';
import { overLimit } from '../domain/admission.js';
import { mintProof } from './assertion.js';
import { type TokenFacts, type TokenIssuer, outsideIssuer, ownIssuer } from './token-issuer.js';
import type { ServiceDependencies } from '@payroll/service';
import { computed, read, sql } from '@payroll/store';
import { KeyRing } from '../oauth/key-ring.js';
import { deriveKey } from '../oauth/sealed-box.js';
import type { OauthSettings } from '../oauth/settings.js';
import { requestClient, connectAssistant } from '../commands/connections.js';

export interface ConnectionAdmissionOptions {
  em: EntityManager;
  issuer: TokenIssuer;
  assertionKey: KeyObject;
  /** With an external issuer: creates the connection at a first sign-in; null otherwise. */
  connectNew: ((token: TokenFacts) => Promise<boolean>) | null;
  now: () => Date;
}

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

type Refusal = Extract<ConnectionResponse, { refused: unknown }>;

/**
 * Answers a batch of questions of the MCP server: who the token belongs to, and the assertion to use at the facade.
 */
export async function handleConnectionAdmission(
  options: ConnectionAdmissionOptions,
  questions: readonly ConnectionRequest[],
): Promise<ConnectionResponse[]> {
  const { em, issuer, connectNew } = options;
  const tokens = await Promise.all(questions.map(({ accessToken }) => orRefusal(() => issuer.read(accessToken))));
  const facts = tokens.map((token) => (isRefusal(token) ? null : token));
  const known = await findCallers(
    em,
    'mcp',
    facts.map((token) => token && lookUp(token, null)),
  );
  const connected = await Promise.all(
    facts.map(async (token, n) => {
      return token && connectNew && !known[n]!.caller ? await orRefusal(() => connectNew(token)) : null;
    }),
  );
  // Finds the connections that were made now. All others are failures, and are counted.
  const others = questions.map(({ clientAddress }, n) => {
    const isAnswered = isRefusal(tokens[n]) || isRefusal(connected[n]) || known[n]?.caller;
    return isAnswered ? null : lookUp(facts[n] ?? null, networkOf(clientAddress));
  });
  const found = await findCallers(em, 'mcp', others);
  return questions.map((_, n) => {
    const refusal = [tokens[n], connected[n]].find(isRefusal);
    return refusal ?? decide(options, facts[n] ?? null, found[n] ?? known[n]!);
  });
}

function lookUp(token: TokenFacts | null, network: string | null): Presented {
  if (token === null) return { network };
  const { workspaceId, clientId, subject, grantId } = token;
  return { network, workspaceId, clientId, subject, grantId };
}

function decide(
  { assertionKey, now }: ConnectionAdmissionOptions,
  token: TokenFacts | null,
  { caller, standings }: Found<Connection>,
): ConnectionResponse {
  const over = overLimit(standings);
  if (over) return { refused: over };
  if (token === null || caller === null) {
    const message = `Sign in again: this access token is invalid or no longer valid.${cellHint()}`;
    return { refused: { code: 'INVALID_CREDENTIAL', message } };
  }
  const { connectionId, principalId, workspaceName, role, integrationEnabled } = caller;
  if (!integrationEnabled) {
    return { refused: { code: 'INTEGRATION_DISABLED', message: 'Integrations are not enabled for this workspace.' } };
  }
  const signed = scopesOfToken(token.scopes);
  const scopes = effectiveScopes(signed, caller.scopes, role);
  if (scopes.length === 0) {
    return { refused: { code: 'INSUFFICIENT_SCOPE', message: 'None of the scopes of this sign-in is allowed.' } };
  }
  const proof = mintProof(assertionKey, connectionId, { scopes: signed }, now());
  const assertion = formatAssertion(connectionId, proof);
  return { admitted: { principalId, workspaceId: token.workspaceId, workspaceName, role, scopes, assertion } };
}

function isRefusal(value: unknown): value is Refusal {
  return typeof value === 'object' && value !== null && 'refused' in value;
}

async function orRefusal<T>(work: () => Promise<T>): Promise<T | Refusal> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const { code, message, retryAfterSeconds } = error;
    return { refused: { code, message, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) } };
  }
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
