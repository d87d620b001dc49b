export {
  EVENT_TYPES,
  eventRoutes,
  isEventType,
  type EventBody,
  type EventOf,
  type EventRoute,
  type EventType,
  type EventTypeFor,
  type Heard,
  type KnownEvent,
} from './catalogue.js';
export type { EventService } from './define-event.js';
export { newEvent, type NewEventOf } from './new-event.js';
export { parseEvent } from './parse-event.js';
export { EventFormatError } from './validate.js';
export { readWorkerQuestion, WORKER_QUESTION, type WorkerAnswer, type WorkerQuestion } from './worker-question.js';
