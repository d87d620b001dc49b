import {
  mintActorTokens,
  type ActorKeys,
  type ActorTokens,
  type AdmissionAnswer,
  type AdmissionQuestion,
} from '@payroll/admission';
import { DomainError, type Origin } from '@payroll/kernel';
import { admit } from '../domain/admission.js';
import { toRateLimit, waitSeconds, type Standing } from '../domain/standing.js';
import { countFailures } from './count-failures.js';
import { findHolders, type Found, type HolderOptions } from './find-holders.js';
import { noteStaffAccess } from './note-staff-access.js';

export interface AdmissionOptions extends HolderOptions {
  actorKeys: ActorKeys;
}

const MALFORMED: AdmissionAnswer = {
  admitted: false,
  code: 'INTERNAL_ERROR',
  message: 'The question cannot be read.',
  rateLimits: [],
};

/**
 * Answers a batch of questions as of this moment: who is it, may it, and tokens that say so to each service. Null is a
 * question that could not be read.
 */
export async function answerAdmission(
  options: AdmissionOptions,
  questions: readonly (AdmissionQuestion | null)[],
): Promise<AdmissionAnswer[]> {
  const { em, actorKeys, now } = options;
  const readable = questions.filter((question) => question !== null);
  const found = await findHolders(options, readable);
  const failures = await countFailures(
    em,
    readable.filter((question) => !found.has(question)),
  );
  const tokensFor = (origin: Origin): ActorTokens => mintActorTokens(actorKeys, origin, now());
  const answers = questions.map((question) => {
    if (question === null) return MALFORMED;
    const known = found.get(question);
    return known ? decide(known, question, tokensFor) : refuseStranger(failures.get(question)!);
  });
  await noteStaffAccess(em, questions, answers);
  return answers;
}

function decide(
  { holder, standings }: Found,
  question: AdmissionQuestion,
  tokensFor: (origin: Origin) => ActorTokens,
): AdmissionAnswer {
  const wait = waitSeconds(standings);
  if (wait !== null) return tooMany(wait, standings);
  const rateLimits = standings.map(toRateLimit);
  try {
    // Whatever door an assistant's request takes, it comes from the MCP server.
    const via = holder.kind === 'connection' ? 'mcp' : question.via;
    const origin: Origin = { actor: admit(holder, question), via, requestId: question.requestId };
    return { admitted: true, origin, tokens: tokensFor(origin), rateLimits };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { admitted: false, code: error.code, message: error.message, rateLimits };
  }
}

function refuseStranger(failure: Standing): AdmissionAnswer {
  const wait = waitSeconds([failure]);
  if (wait !== null) return tooMany(wait, [failure]);
  const message = 'The credential is wrong, expired or revoked.';
  return { admitted: false, code: 'INVALID_CREDENTIAL', message, rateLimits: [] };
}

function tooMany(retryAfterSeconds: number, standings: readonly Standing[]): AdmissionAnswer {
  const message = `Too many requests. Try again in ${retryAfterSeconds} s.`;
  return { admitted: false, code: 'RATE_LIMITED', message, retryAfterSeconds, rateLimits: standings.map(toRateLimit) };
}
