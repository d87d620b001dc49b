export { EventFormatError, newEvent, parseEvent } from './check-event.js';
export {
  consumersOf,
  EVENT_TYPES,
  eventRoutes,
  isEventType,
  publishersFor,
  type EventBody,
  type EventOf,
  type EventType,
  type EventTypeFor,
  type KnownEvent,
} from './known-event.js';
export {
  type PaymentsAnswer,
  type PaymentsQuestion,
  PAYMENTS_QUESTION,
  readPaymentsQuestion,
} from './payments-question.js';
export {
  type PayoutChangeAnswer,
  type PayoutChangeQuestion,
  PAYOUT_CHANGE_QUESTION,
  readPayoutChangeQuestion,
} from './payout-change-question.js';
export { readWorkQuestion, WORK_QUESTION, type WorkAnswer, type WorkQuestion } from './work-question.js';
export {
  readWorkerQuestion,
  WORKER_ACCESS_QUESTION,
  WORKER_PROFILE_QUESTION,
  WORKER_QUESTION,
  type WorkerAccessAnswer,
  type WorkerAnswer,
  type WorkerProfileAnswer,
  type WorkerQuestion,
} from './worker-question.js';
