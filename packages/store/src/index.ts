export { CommandRunner } from './command-runner.js';
export { defineCommand, type Applied, type Arrival, type Command } from './command.js';
export type { Claimed, DomainEvent, HeardEvent, NewEvent, Relay } from './domain-event.js';
export { CommandTransaction, WorkspaceRows } from './command-transaction.js';
export { defineSchema, observePool, openDatabase, type Rows, type Schema } from './database.js';
export { asDomainError, isDataFault } from './database-error.js';
export { databaseSettings, type DatabaseSettings } from './database-settings.js';
export { lookAtDatabase } from './findings.js';
export { HISTORY, readHistory } from './history.js';
export { Keyset, type Page, type PageRequest } from './keyset.js';
export { migrate, migrateCommand } from './migrate.js';
export {
  forgetOutcomes,
  inBatches,
  INBOX_FACTOR,
  kept,
  LEAST_EVENT_DAYS,
  OUTCOME_DAYS,
  SKIPPING,
} from './retention.js';
export {
  as,
  columnOf,
  columns,
  columnsBut,
  prepared,
  read,
  sql,
  verbatim,
  write,
  type Sql,
  type TableRow,
} from './sql.js';
export {
  AuditEntryTable,
  DEAD_LETTER_STATES,
  DEAD_LETTER_STEPS,
  DeadLetterStepTable,
  DeadLetterTable,
  exactNumber,
  instant,
  OutboxEventTable,
  writePathTables,
} from './tables.js';
export { defineView, list, type ListRequest, type View } from './view.js';
export type { Values } from './rows.js';
