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
import { computed, readOne, sql } from '@payroll/store';
import { KeyRing } from '../oauth/key-ring.js';
import { deriveKey } from '../oauth/sealed-box.js';
import type { OauthSettings } from '../oauth/settings.js';
import { requestClient, connectAssistant } from '../commands/connections.js';

export interface ConnectionAdmissionOptions {
  em: EntityManager;
  issuer: TokenIssuer;
  assertionKey: KeyObject;
  /** With an external issuer: creates the connection at a first sign-in; null otherwise. */
  connectNew: ((token: TokenFacts) => Promise<void>) | null;
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

/** A question on its way to an answer. */
interface Case {
  clientAddress: string;
  /** Null for an invalid token, and for one that is refused. */
  token: TokenFacts | null;
  refusal?: Refusal;
  found?: Found<Connection>;
}

/**
 * Answers a batch of questions of the MCP server: who the token belongs to, and the assertion to use at the facade.
 */
export async function handleConnectionAdmission(
  options: ConnectionAdmissionOptions,
  questions: readonly ConnectionRequest[],
): Promise<ConnectionResponse[]> {
  const { em, issuer, connectNew } = options;
  const cases = await Promise.all(questions.map((each) => readToken(issuer, each)));
  const withToken = cases.filter(({ token }) => token !== null);
  // Without a network: a connection that does not exist yet must not count as a failure.
  await findConnections(em, withToken, () => null);
  if (connectNew) await Promise.all(cases.filter(isOpen).map((each) => connect(each, connectNew)));
  // Finds the connections that were made now. All others are failures, and are counted.
  await findConnections(em, cases.filter(isOpen), ({ clientAddress }) => networkOf(clientAddress));
  return cases.map((each) => each.refusal ?? decide(options, each.token, each.found!));
}

function isOpen({ refusal, found }: Case): boolean {
  return !refusal && !found?.caller;
}

async function readToken(issuer: TokenIssuer, { accessToken, clientAddress }: ConnectionRequest): Promise<Case> {
  try {
    return { clientAddress, token: await issuer.read(accessToken) };
  } catch (error) {
    return { clientAddress, token: null, refusal: refusalOf(error) };
  }
}

async function findConnections(em: EntityManager, cases: Case[], networkFor: (each: Case) => string | null) {
  const presented = cases.map((each) => presentedBy(each.token, networkFor(each)));
  const found = await findCallers(em, 'mcp', presented);
  for (const [n, each] of cases.entries()) each.found = found[n]!;
}

async function connect(each: Case, connectNew: (token: TokenFacts) => Promise<void>): Promise<void> {
  try {
    if (each.token) await connectNew(each.token);
  } catch (error) {
    each.refusal = refusalOf(error);
  }
}

/** @throws everything but a refusal */
function refusalOf(error: unknown): Refusal {
  if (!(error instanceof DomainError)) throw error;
  const { code, message, retryAfterSeconds } = error;
  return { refused: { code, message, retryAfterSeconds } };
}

function presentedBy(token: TokenFacts | null, network: string | null): Presented {
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
  const proof = mintProof(assertionKey, connectionId, signed, now());
  const assertion = formatAssertion(connectionId, proof);
  return { admitted: { principalId, workspaceId: token.workspaceId, workspaceName, role, scopes, assertion } };
}

/**
 * With an external issuer there is no consent page: an enabled client is connected when a member first uses it. A
 * revoked connection stays revoked until it is renewed on the Connections page, because a refreshed token looks like
 * a new sign-in.
 * @throws DomainError `INSUFFICIENT_SCOPE` when no admin has enabled the client.
 */
async function connectExternal(
  { em, commands }: Pick<ServiceDependencies, 'em' | 'commands'>,
  token: TokenFacts,
): Promise<void> {
  const standing = await findStanding(em, token);
  if (!standing || standing.hasHad) return;
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
}

/** Whether the member ever had a connection of the client, and the client's status in the workspace. */
async function findStanding(em: EntityManager, { workspaceId, clientId, email }: TokenFacts) {
  if (email === null) return null;
  const hasHad = sql`exists (
    select from mcp_connection c
    where c.workspace_id = m.workspace_id and c.client_id = ${clientId} and c.membership_id = m.id)`;
  return await readOne(
    em,
    sql`select ${computed('membershipId', 'uuid', sql`m.id`)}, ${computed('status', 'text?', sql`k.status`)}, ${computed('hasHad', 'boolean', hasHad)}
      from membership m
      left join mcp_client k on k.workspace_id = m.workspace_id and k.id = ${clientId}
      where m.workspace_id = ${workspaceId} and m.email = ${email} and m.left_at is null`,
  );
}
