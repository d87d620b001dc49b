import type { KeyObject } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { formatAssertion, type ConnectionResponse, type ConnectionRequest } from '@payroll/admission';
import { DomainError } from '@payroll/kernel';
import { cellHint } from '@payroll/runtime';
import { findCallers, type Connection, type Found, type Presented } from '../admission/find-callers.js';
import { networkOf } from '../admission/rate-counters.js';
import { effectiveScopes, scopesOfToken } from '../domain/connection.js';
import { overLimit } from '../domain/admission.js';
import { mintProof } from './assertion.js';
import type { TokenFacts, TokenIssuer } from './token-issuer.js';

export interface ConnectionAdmissionOptions {
  em: EntityManager;
  issuer: TokenIssuer;
  assertionKey: KeyObject;
  /** With an external issuer: creates the connection at a first sign-in; null otherwise. */
  connectNew: ((token: TokenFacts) => Promise<boolean>) | null;
  now: () => Date;
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
