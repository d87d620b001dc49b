import { Batches, unavailable } from '@payroll/kernel';
import type { AdmissionAnswer, AdmissionQuestion } from './protocol.js';

export const ADMISSION_SUBJECT = 'admission.check';

/** From question to answer. Well under the facade's 10 s: what remains is for the answer itself. */
const TIMEOUT_MS = 3_000;

/** Answers come within milliseconds. One that takes longer may be lost, and is no reason for others to wait. */
const HOLD_MS = 100;

export interface AdmissionClient {
  /**
   * `isGone` says that nobody waits for the answer any more; a question that has not left by then is not asked.
   * @throws DomainError `SERVICE_UNAVAILABLE` when workspaces does not answer within 3 s.
   */
  ask(question: AdmissionQuestion, isGone?: () => boolean): Promise<AdmissionAnswer>;
}

/** Request and reply over NATS, as `messaging` offers it. */
export interface Requester {
  request(subject: string, body: unknown, timeoutMs: number): Promise<unknown>;
}

/** Questions that wait at the same time travel in one message; none is ever answered from a cache. */
export function createAdmissionClient(bus: Requester): AdmissionClient {
  const send = (questions: readonly AdmissionQuestion[]): Promise<AdmissionAnswer>[] => {
    const answers = answersTo(bus, questions);
    return questions.map(async (_question, place) => (await answers)[place]!);
  };
  return new Batches({ send, maxSize: 200, holdMs: HOLD_MS });
}

async function answersTo(bus: Requester, questions: readonly AdmissionQuestion[]): Promise<readonly AdmissionAnswer[]> {
  const answers = await bus.request(ADMISSION_SUBJECT, questions, TIMEOUT_MS - HOLD_MS);
  if (!Array.isArray(answers) || answers.length !== questions.length) throw unavailable('Admission');
  return answers as AdmissionAnswer[];
}
