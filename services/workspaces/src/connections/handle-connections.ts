import type { KeyObject } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { formatAssertion, type ConnectionResponse, type ConnectionRequest } from '@payroll/admission';
import { DomainError } from '@payroll/kernel';
import { cellHint } from '@payroll/runtime';
import { countFailures } from '../admission/rate-counters.js';
import { effectiveScopes, scopesOfToken } from '../domain/connection.js';
import { overLimit } from '../domain/counter-position.js';
import { mintProof } from './assertion.js';
import { findConnections, type FoundConnection } from './find-connection.js';
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

const invalid = (): Refusal['refused'] => ({
  code: 'INVALID_CREDENTIAL',
  message: `Sign in again: this access token is invalid or no longer valid.${cellHint()}`,
});

/**
 * Answers a batch of questions of the MCP server: who the token belongs to, and the assertion to use at the facade.
 */
export async function handleConnectionAdmission(
  options: ConnectionAdmissionOptions,
  questions: readonly ConnectionRequest[],
): Promise<ConnectionResponse[]> {
  const read = await Promise.all(questions.map(({ accessToken }) => orRefusal(() => options.issuer.read(accessToken))));
  const tokens = read.filter((each): each is TokenFacts => each !== null && !isRefusal(each));
  const found = await findConnections(options.em, tokens);
  const answers = await Promise.all(
    read.map(async (token): Promise<ConnectionResponse | null> => {
      if (token === null || isRefusal(token)) return token;
      return await orRefusal(() => admitToken(options, token, found.get(token)));
    }),
  );
  const failed = questions.filter((_, n) => answers[n] === null);
  const failures = await countFailures(options.em, failed);
  return answers.map((answer, n) => answer ?? { refused: overLimit([failures.get(questions[n]!)!]) ?? invalid() });
}

/** Null if there is no live connection. */
async function admitToken(
  { em, connectNew, assertionKey, now }: ConnectionAdmissionOptions,
  token: TokenFacts,
  known: FoundConnection | undefined,
): Promise<ConnectionResponse | null> {
  const isNew = !known && connectNew !== null && (await connectNew(token));
  const found = isNew ? (await findConnections(em, [token])).get(token) : known;
  if (!found) return null;
  const over = overLimit([found.standing]);
  if (over) return { refused: over };
  if (!found.integrationEnabled) {
    throw new DomainError('INTEGRATION_DISABLED', 'Integrations are not enabled for this workspace.');
  }
  const { connectionId, principalId, workspaceName, role } = found;
  const signed = scopesOfToken(token.scopes);
  const scopes = effectiveScopes(signed, found.scopes, role);
  if (scopes.length === 0) {
    throw new DomainError('INSUFFICIENT_SCOPE', 'None of the scopes of this sign-in is allowed.');
  }
  const proof = mintProof(assertionKey, connectionId, { scopes: signed }, now());
  const assertion = formatAssertion(connectionId, proof);
  return { admitted: { principalId, workspaceId: token.workspaceId, workspaceName, role, scopes, assertion } };
}

function isRefusal(value: object): value is Refusal {
  return 'refused' in value;
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
