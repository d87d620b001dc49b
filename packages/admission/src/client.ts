import { RequestBatcher, DomainError, unavailable } from '@payroll/kernel';
import { currentTraceparent, withSpan } from '@payroll/runtime';
import type {
  Person,
  PersonQuestion,
  AdmissionRequest,
  AdmissionResponse,
  AdmittedConnection,
  ConnectionResponse,
  ConnectionRequest,
} from './protocol.js';

/** From question to answer. Well under the facade's 10 s: the rest is for the answer itself. */
const TIMEOUT_MS = 3_000;

/** Answers arrive within milliseconds. A slower one may be lost, and should not delay others. */
const HOLD_MS = 100;

/** RFC 6750 §2.1. Longer than any issuer needs, and short enough for a batch of tokens in one message. */
const TOKEN = /^[\w.~+/-]{1,4000}={0,2}$/;

/** Sends questions and returns as many answers, in order. */
export interface Requester {
  /** @throws DomainError `SERVICE_UNAVAILABLE` when no answer arrives in time. */
  request(questions: readonly unknown[], timeoutMs: number, path?: '/admission' | '/person'): Promise<unknown>;
}

export type AdmissionClient = ReturnType<typeof createAdmissionClient>;

export function createAdmissionClient(peer: Requester) {
  const batches = createBatchedRequester<AdmissionRequest, AdmissionResponse>(peer);
  return {
    /** Not sent once `isGone`. @throws DomainError `SERVICE_UNAVAILABLE` when workspaces does not answer within 3 s. */
    ask: (question: AdmissionRequest, isGone?: () => boolean): Promise<AdmissionResponse> =>
      withSpan('ask who is calling', { kind: 'client', requestId: question.requestId }, () => {
        const traceparent = currentTraceparent();
        return batches.ask(traceparent === undefined ? question : { ...question, traceparent }, isGone);
      }),
    /** Null for a session that has ended. @throws DomainError `SERVICE_UNAVAILABLE` */
    askPerson: async (question: PersonQuestion): Promise<Person | null> => {
      const [person = null] = (await peer.request([question], TIMEOUT_MS, '/person')) as (Person | null)[];
      return person;
    },
  };
}

export type ConnectionAdmission = ReturnType<typeof createConnectionAdmission>;

/** How the MCP server asks. */
export function createConnectionAdmission(peer: Requester) {
  const batches = createBatchedRequester<ConnectionRequest, ConnectionResponse>(peer);
  return {
    /**
     * @throws DomainError `INVALID_CREDENTIAL` for a token that is not ours, expired or of an ended connection,
     * `INSUFFICIENT_SCOPE`, `INTEGRATION_DISABLED`, `RATE_LIMITED`, or `SERVICE_UNAVAILABLE` when workspaces does not answer.
     */
    admit: async (accessToken: string, { clientAddress }: { clientAddress: string }): Promise<AdmittedConnection> => {
      if (!TOKEN.test(accessToken)) throw new DomainError('INVALID_CREDENTIAL', 'This is no access token.');
      const answer = await withSpan('ask who is calling', { kind: 'client' }, () =>
        batches.ask({ accessToken, clientAddress, traceparent: currentTraceparent() }),
      );
      if ('admitted' in answer) return answer.admitted;
      const { code, message, retryAfterSeconds } = answer.refused;
      throw new DomainError(code, message, { retryAfterSeconds });
    },
  };
}

/** Questions that wait at the same time travel in one message; none is ever answered from a cache. */
function createBatchedRequester<Question, Answer>(peer: Requester): RequestBatcher<Question, Answer> {
  const answersTo = async (questions: readonly Question[]): Promise<readonly Answer[]> => {
    const answers = await peer.request(questions, TIMEOUT_MS - HOLD_MS);
    if (!Array.isArray(answers) || answers.length !== questions.length) throw unavailable('Admission');
    return answers as Answer[];
  };
  const send = (questions: readonly Question[]): Promise<Answer>[] => {
    const answers = answersTo(questions);
    return questions.map(async (_question, place) => (await answers)[place]!);
  };
  return new RequestBatcher({ send, maxSize: 200, maxWaitMs: HOLD_MS });
}
