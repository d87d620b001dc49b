export { exactNumber, instant } from './columns.js';
export { CommandRunner, type Applied, type CommandRunnerOptions } from './command-runner.js';
export { CommandTransaction, defineCommand, type Command } from './command.js';
export { part, readComposed, type Part } from './composed.js';
export { asDomainError, isDataFault } from './database-error.js';
export type { DomainEvent, HeardEvent, NewEvent } from './event.js';
export { databaseSettings, type DatabaseSettings } from './database-settings.js';
export { forgetOutcomes, inBatches, SKIPPING } from './forget.js';
export { HISTORY, readHistory } from './history.js';
export { INBOX_FACTOR, kept, LEAST_EVENT_DAYS, OUTCOME_DAYS } from './kept.js';
export { Keyset, type Page, type PageRequest } from './keyset.js';
export { lookAtDatabase } from './look-at-database.js';
export { migrateCommand } from './migrate-command.js';
export { migrate } from './migrate.js';
export { observePool } from './observe-pool.js';
export { defineSchema, openDatabase, type Rows, type Schema } from './orm.js';
export { prepared } from './prepared.js';
export { readByKeys } from './read-by-keys.js';
export {
  as,
  columnOf,
  columns,
  columnsBut,
  prepared as preparedQuery,
  read,
  sql,
  verbatim,
  write,
  type Sql,
  type TableRow,
} from './sql.js';
export { defineView, list, type ListRequest, type View } from './view.js';
export { writePathTables } from './tables.js';
