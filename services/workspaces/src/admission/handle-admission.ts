import type { KeyObject } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import {
  type ActorKeys,
  type AdmissionRequest,
  type AdmissionResponse,
  hashProof,
  mintActorTokens,
} from '@payroll/admission';
import { DomainError, isId, isStaff, newId, type Origin, type Scope } from '@payroll/kernel';
import { cellHint } from '@payroll/runtime';
import { sql, write } from '@payroll/store';
import { readProof } from './assertion.js';
import { admit, type Holder, limitTo, overLimit, toRateLimit } from '../domain/admission.js';
import { findCallers, type Found, type Presented } from './find-callers.js';
import { networkOf } from './rate-counters.js';

export interface AdmissionOptions {
  em: EntityManager;
  actorKeys: ActorKeys;
  /** Verifies the assertions of connections; null if there are none. */
  assertionKey: KeyObject | null;
  now: () => Date;
}

const MALFORMED: AdmissionResponse = {
  admitted: false,
  code: 'INTERNAL_ERROR',
  message: 'The question cannot be read.',
  rateLimits: [],
};

/**
 * Answers who is calling and whether they may, with an actor token for each service. All questions are of one edge; a
 * null question could not be read.
 */
export async function handleAdmission(
  options: AdmissionOptions,
  via: 'rest' | 'graphql' | 'web',
  questions: readonly (AdmissionRequest | null)[],
): Promise<AdmissionResponse[]> {
  const { em } = options;
  const presented = questions.map((question) => question && present(options, question));
  const found = await findCallers(em, via, presented);
  const answers = questions.map((question, n) => {
    if (question === null) return MALFORMED;
    const { caller, standings } = found[n]!;
    return decide(options, via, { question, caller: limitTo(presented[n]?.upTo, caller), standings });
  });
  await noteStaffAccess(em, questions, answers);
  return answers;
}

/** An assertion is a connection, with the scopes it is limited to; one that is invalid or expired is no credential. */
function present(
  { assertionKey, now }: AdmissionOptions,
  { credential, clientAddress, limit, workspaceId, as }: AdmissionRequest,
): Presented & { upTo?: readonly Scope[] } {
  const request = { network: networkOf(clientAddress), limit, workspaceId: isId(workspaceId) ? workspaceId : null, as };
  if (credential === null) return request;
  const { kind, proof } = credential;
  if (kind === 'session') return { ...request, kind, hash: hashProof(proof) };
  const { id } = credential;
  if (kind !== 'assertion') return { ...request, kind, id, hash: hashProof(proof) };
  const upTo = assertionKey && readProof(assertionKey, id, proof, now());
  return upTo ? { ...request, kind: 'connection', id, upTo } : request;
}

function decide(
  { actorKeys, now }: AdmissionOptions,
  entry: 'rest' | 'graphql' | 'web',
  { question, caller, standings }: Found<Holder> & { question: AdmissionRequest },
): AdmissionResponse {
  const over = overLimit(standings);
  // An unknown caller has no counters of reads and writes, so its answer has none until it has failed too often.
  const rateLimits = caller || over ? standings.map(toRateLimit) : [];
  if (over) return { admitted: false, ...over, rateLimits };
  try {
    if (caller === null) throw invalidCredential(entry);
    // A connection's requests always come through the MCP server, whichever endpoint they reach.
    const via = caller.kind === 'connection' ? 'mcp' : entry;
    const origin: Origin = { actor: admit(caller, question), via, requestId: question.requestId };
    const tokens = mintActorTokens(actorKeys, origin, now());
    return { admitted: true, origin, tokens, rateLimits, ...(caller.kind === 'session' && { names: caller.names }) };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const { code, message, details } = error;
    return { admitted: false, code, message, rateLimits, details };
  }
}

function invalidCredential(entry: 'rest' | 'graphql' | 'web'): DomainError {
  // The workspace is named beside an internal token, and found by the same statement.
  const also = entry === 'graphql' ? ', or there is no such workspace' : '';
  return new DomainError('INVALID_CREDENTIAL', `The credential is wrong, expired or revoked${also}.${cellHint()}`);
}

/** Records when and why staff access a workspace, before they see any data. */
async function noteStaffAccess(
  em: EntityManager,
  questions: readonly (AdmissionRequest | null)[],
  answers: readonly AdmissionResponse[],
): Promise<void> {
  const entries = answers.flatMap((answer, n) => {
    if (!answer.admitted || !isStaff(answer.origin.actor)) return [];
    const { actor, via, requestId } = answer.origin;
    const { workspaceId, principalId } = actor;
    return { id: newId(), workspaceId, principalId, via, requestId, change: { reason: questions[n]?.reason } };
  });
  if (entries.length === 0) return;
  await write(
    em,
    sql`insert into audit_entry
        (id, workspace_id, at, actor_kind, principal_id, via, request_id, action, subject_id, change)
      select id, "workspaceId", clock_timestamp(), 'staff', "principalId", via, "requestId", 'workspace.accessed',
        "workspaceId", change
      from json_to_recordset(${JSON.stringify(entries)})
        as entry (id uuid, "workspaceId" uuid, "principalId" uuid, via text, "requestId" text, change jsonb)`,
  );
}
