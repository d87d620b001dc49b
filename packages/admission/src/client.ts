import DataLoader from 'dataloader';
import type { AdmissionAnswer, AdmissionQuestion } from './protocol.js';

export const ADMISSION_SUBJECT = 'admission.check';

/** Well under the facade's 10 s: what remains is for the answer itself. */
const TIMEOUT_MS = 3_000;

export interface AdmissionClient {
  /** @throws DomainError `SERVICE_UNAVAILABLE` when workspaces does not answer. */
  ask(question: AdmissionQuestion): Promise<AdmissionAnswer>;
}

/** Request and reply over NATS, as `messaging` offers it. */
export interface Requester {
  request(subject: string, body: unknown, timeoutMs: number): Promise<unknown>;
}

/** Questions of one tick travel in one message and are answered by one SQL statement; none is ever answered from a cache. */
export function createAdmissionClient(bus: Requester): AdmissionClient {
  const batched = new DataLoader<AdmissionQuestion, AdmissionAnswer>(
    async (questions) => (await bus.request(ADMISSION_SUBJECT, questions, TIMEOUT_MS)) as AdmissionAnswer[],
    { cache: false, maxBatchSize: 200 },
  );
  return { ask: (question) => batched.load(question) };
}
