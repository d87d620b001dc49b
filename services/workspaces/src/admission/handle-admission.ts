import type { EntityManager } from '@mikro-orm/postgresql';
import { type ActorKeys, type AdmissionResponse, type AdmissionRequest, mintActorTokens } from '@payroll/admission';
import { DomainError, newId, type Origin, isStaff } from '@payroll/kernel';
import { cellHint } from '@payroll/runtime';
import { sql, write } from '@payroll/store';
import { admit } from '../domain/admission.js';
import { type CounterPosition, overLimit, toRateLimit } from '../domain/counter-position.js';
import { countFailures } from './rate-counters.js';
import { resolveCredentials, type Found, type HolderOptions } from './resolve-credentials.js';

export interface AdmissionOptions extends HolderOptions {
  actorKeys: ActorKeys;
}

const MALFORMED: AdmissionResponse = {
  admitted: false,
  code: 'INTERNAL_ERROR',
  message: 'The question cannot be read.',
  rateLimits: [],
};

/**
 * Answers who is calling and whether they may, with an actor token for each service. A null question could not be
 * read.
 */
export async function handleAdmission(
  options: AdmissionOptions,
  questions: readonly (AdmissionRequest | null)[],
): Promise<AdmissionResponse[]> {
  const { em } = options;
  const readable = questions.filter((question) => question !== null);
  const found = await resolveCredentials(options, readable);
  const strangers = readable.filter((question) => !found.has(question));
  const failures = await countFailures(em, strangers);
  const answers = questions.map((question) => {
    if (question === null) return MALFORMED;
    const known = found.get(question);
    return known ? decide(known, question, options) : refuseStranger(failures.get(question)!);
  });
  await noteStaffAccess(em, questions, answers);
  return answers;
}

function decide(
  { holder, standings }: Found,
  question: AdmissionRequest,
  { actorKeys, now }: AdmissionOptions,
): AdmissionResponse {
  const rateLimits = standings.map(toRateLimit);
  const over = overLimit(standings);
  if (over) return { admitted: false, ...over, rateLimits };
  try {
    // A connection's requests always come through the MCP server, whichever endpoint they reach.
    const via = holder.kind === 'connection' ? 'mcp' : question.via;
    const origin: Origin = { actor: admit(holder, question), via, requestId: question.requestId };
    const tokens = mintActorTokens(actorKeys, origin, now());
    return { admitted: true, origin, tokens, rateLimits, ...(holder.kind === 'session' && { names: holder.names }) };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const { code, message, details } = error;
    return { admitted: false, code, message, rateLimits, ...(details && { details }) };
  }
}

function refuseStranger(failure: CounterPosition): AdmissionResponse {
  const over = overLimit([failure]);
  if (over) return { admitted: false, ...over, rateLimits: [toRateLimit(failure)] };
  // An unknown caller has no counters of reads and writes, so the answer has no rate limits.
  const message = `The credential is wrong, expired or revoked.${cellHint()}`;
  return { admitted: false, code: 'INVALID_CREDENTIAL', message, rateLimits: [] };
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
