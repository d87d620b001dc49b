import { Batches, unavailable } from '@payroll/kernel';

/** From question to answer. Well under the facade's 10 s: what remains is for the answer itself. */
const TIMEOUT_MS = 3_000;

/** Answers come within milliseconds. One that takes longer may be lost, and is no reason for others to wait. */
const HOLD_MS = 100;

/** Request and reply over NATS, as `bus` offers it. */
export interface Requester {
  request(subject: string, body: unknown, timeoutMs: number): Promise<unknown>;
}

/**
 * Questions that wait at the same time travel in one message; none is ever answered from a cache.
 * @throws DomainError `SERVICE_UNAVAILABLE` when workspaces does not answer within 3 s.
 */
export function askInBatches<Question, Answer>(bus: Requester, subject: string): Batches<Question, Answer> {
  const answersTo = async (questions: readonly Question[]): Promise<readonly Answer[]> => {
    const answers = await bus.request(subject, questions, TIMEOUT_MS - HOLD_MS);
    if (!Array.isArray(answers) || answers.length !== questions.length) throw unavailable('Admission');
    return answers as Answer[];
  };
  const send = (questions: readonly Question[]): Promise<Answer>[] => {
    const answers = answersTo(questions);
    return questions.map(async (_question, place) => (await answers)[place]!);
  };
  return new Batches({ send, maxSize: 200, holdMs: HOLD_MS });
}
