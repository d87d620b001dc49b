export { answerEvents } from './delivery/consumer.js';
export { retryDeadLetters } from './delivery/dead-letters.js';
export {
  type AppliedBy,
  type EventCommand,
  type EventCommands,
  CommandTransaction,
  WorkspaceReader,
  defineCommand,
  type Command,
} from './run/command.js';
export { OutboxRelay } from './delivery/relay.js';
export {
  DEAD_LETTER_STATES,
  DEAD_LETTER_STEPS,
  DeadLetterStepTable,
  DeadLetterTable,
  AuditEntryTable,
  writePathTables,
} from './tables.js';
export { Bus } from './nats/bus.js';
export { type RequestHandler, whyNoReply } from './nats/request-reply.js';
export { natsSettings, type NatsSettings } from './nats/settings.js';
export {
  type Committed,
  type DomainEvent,
  type EventInGeneration,
  type NewEvent,
  deleteExpiredEvents,
} from './outbox/outbox.js';
export { serveNewestEvent, fetchNewestEvent } from './outbox/newest-event.js';
export { checkOutbox } from './outbox/observe-outbox.js';
export { Commands, type Relay } from './run/commands.js';
export { clearExpiredOutcomes } from './run/operations.js';
