import { DeadLetterStepTable, DeadLetterTable } from './delivery/tables.js';
import { OutboxDeliveryTable, OutboxEventTable } from './outbox/tables.js';
import { AppliedOperationTable, AuditEntryTable, ChangeClockTable } from './run/tables.js';

export { answerEvents } from './delivery/consumer.js';
export { retryDeadLetters } from './delivery/dead-letters.js';
export type { AppliedBy, EventCommand, EventCommands } from './delivery/event-command.js';
export { OutboxRelay } from './delivery/relay.js';
export { DEAD_LETTER_STATES, DEAD_LETTER_STEPS, DeadLetterStepTable, DeadLetterTable } from './delivery/tables.js';
export { connectNats, type Bus } from './nats/bus.js';
export { type RequestHandler, whyNoReply } from './nats/request-reply.js';
export { natsSettings, type NatsSettings } from './nats/settings.js';
export type { Committed, DomainEvent, EventInGeneration, NewEvent } from './outbox/event.js';
export { serveNewestEvent, fetchNewestEvent } from './outbox/newest-event.js';
export { checkOutbox } from './outbox/observe-outbox.js';
export { deleteExpiredEvents } from './outbox/outbox.js';
export { Commands, type Relay } from './run/commands.js';
export { CommandTransaction, WorkspaceReader } from './run/command-transaction.js';
export { defineCommand, type Command } from './run/command.js';
export { clearExpiredOutcomes } from './run/operations.js';
export { AuditEntryTable } from './run/tables.js';

/** The tables every service needs to run commands and to deliver their events. */
export const writePathTables = [
  ChangeClockTable,
  AppliedOperationTable,
  OutboxEventTable,
  OutboxDeliveryTable,
  DeadLetterTable,
  DeadLetterStepTable,
  AuditEntryTable,
] as const;
