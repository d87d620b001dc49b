export { CommandRunner } from './commands/command-runner.js';
export { defineCommand, type Applied, type Arrival, type Command } from './commands/command.js';
export type { Claimed, DomainEvent, HeardEvent, NewEvent, Relay } from './commands/domain-event.js';
export { CommandTransaction, WorkspaceRows } from './commands/command-transaction.js';
export { defineSchema, observePool, openDatabase, type Rows, type Schema } from './database/database.js';
export { asDomainError, isDataFault } from './database/database-error.js';
export { databaseSettings, type DatabaseSettings } from './database/database-settings.js';
export { lookAtDatabase } from './database/findings.js';
export { HISTORY, readHistory } from './database/history.js';
export { Keyset, type Page, type PageRequest } from './sql/keyset.js';
export { migrate, migrateCommand } from './database/migrate.js';
export {
  forgetOutcomes,
  inBatches,
  INBOX_FACTOR,
  kept,
  LEAST_EVENT_DAYS,
  OUTCOME_DAYS,
  SKIPPING,
} from './database/retention.js';
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
} from './sql/sql.js';
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
} from './database/tables.js';
export { defineView, list, type ListRequest, type View } from './sql/view.js';
export type { Values } from './sql/rows.js';
