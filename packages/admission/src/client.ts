import { currentTraceparent, step } from '@payroll/telemetry';
import { askInBatches, type Requester } from './ask-in-batches.js';
import type { AdmissionAnswer, AdmissionQuestion } from './protocol.js';

export const ADMISSION_SUBJECT = 'admission.check';

export interface AdmissionClient {
  /**
   * `isGone` says that nobody waits for the answer any more; a question that has not left by then is not asked.
   * @throws DomainError `SERVICE_UNAVAILABLE` when workspaces does not answer within 3 s.
   */
  ask(question: AdmissionQuestion, isGone?: () => boolean): Promise<AdmissionAnswer>;
}

export function createAdmissionClient(bus: Requester): AdmissionClient {
  const batches = askInBatches<AdmissionQuestion, AdmissionAnswer>(bus, ADMISSION_SUBJECT);
  return {
    ask: (question, isGone) =>
      step('ask who is calling', { kind: 'client', requestId: question.requestId }, () => {
        const traceparent = currentTraceparent();
        return batches.ask(traceparent === undefined ? question : { ...question, traceparent }, isGone);
      }),
  };
}
