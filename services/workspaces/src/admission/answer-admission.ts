import type { EntityManager } from '@mikro-orm/postgresql';
import {
  mintActorToken,
  SERVICES,
  type ActorTokens,
  type AdmissionAnswer,
  type AdmissionQuestion,
  type RateLimit,
  type ServiceName,
} from '@payroll/admission';
import { DomainError, type Origin } from '@payroll/kernel';
import { admit, toRateLimit, waitSeconds, type Standing } from '../domain/admission.js';
import { countFailures } from './count-failures.js';
import { findHolders, type Found } from './find-holders.js';
import { noteStaffAccess } from './note-staff-access.js';

export interface AdmissionOptions {
  em: EntityManager;
  actorKeys: Readonly<Record<ServiceName, Buffer>>;
  now: () => Date;
}

/** Answers a batch of questions as of this moment: who is it, may it, and tokens that say so to each service. */
export async function answerAdmission(
  { em, actorKeys, now }: AdmissionOptions,
  questions: readonly AdmissionQuestion[],
): Promise<AdmissionAnswer[]> {
  const found = await findHolders(em, questions);
  const strangers = questions.flatMap((_, n) => (found[n] ? [] : [n]));
  const counted = await countFailures(
    em,
    strangers.map((n) => questions[n]!.clientAddress),
  );
  const failures = new Map(strangers.map((n, place) => [n, counted[place]!]));
  const tokensFor = (origin: Origin): ActorTokens =>
    Object.fromEntries(
      SERVICES.map((service) => [service, mintActorToken(service, actorKeys[service], origin, now())]),
    ) as ActorTokens;
  const answers = questions.map((question, n) => {
    const known = found[n];
    return known ? decide(known, question, tokensFor) : refuseStranger(failures.get(n)!);
  });
  await noteStaffAccess(em, questions, answers);
  return answers;
}

function decide(
  { holder, standings }: Found,
  question: AdmissionQuestion,
  tokensFor: (origin: Origin) => ActorTokens,
): AdmissionAnswer {
  const rateLimits = standings.map(toRateLimit);
  const wait = waitSeconds(standings);
  if (wait !== null) return tooMany(wait, rateLimits);
  try {
    const origin: Origin = { actor: admit(holder, question), via: question.via, requestId: question.requestId };
    return { admitted: true, origin, tokens: tokensFor(origin), rateLimits };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { admitted: false, code: error.code, message: error.message, rateLimits };
  }
}

function refuseStranger(failure: Standing): AdmissionAnswer {
  const wait = waitSeconds([failure]);
  if (wait !== null) return tooMany(wait, []);
  const message = 'The credential is missing, wrong, expired, revoked or of another environment.';
  return { admitted: false, code: 'INVALID_CREDENTIAL', message, rateLimits: [] };
}

function tooMany(retryAfterSeconds: number, rateLimits: readonly RateLimit[]): AdmissionAnswer {
  const message = `Too many requests. Try again in ${retryAfterSeconds} s.`;
  return { admitted: false, code: 'RATE_LIMITED', message, retryAfterSeconds, rateLimits };
}
