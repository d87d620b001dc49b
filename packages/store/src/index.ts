export { observePool, openDatabase, ormOptions, type Schema } from './database/database.js';
export { mapDatabaseError, isDataError } from './database/database-error.js';
export { databaseSettings, type DatabaseSettings } from './database/database-settings.js';
export { checkDatabase, lookForDatabase } from './database/check-database.js';
export { GENERATION, readGeneration } from './database/generation.js';
export {
  Keyset,
  type Page,
  type PageRequest,
  type Paging,
  defineView,
  list,
  type ListRequest,
  type View,
} from './sql/lists.js';
export { migrate, migrateCommand } from './database/migrate.js';
export {
  inBatches,
  retentionTrigger,
  MIN_EVENT_RETENTION_DAYS,
  OUTCOME_RETENTION_DAYS,
  SKIP_LOCKED,
  exactNumber,
  instant,
} from './database/tables.js';
export {
  computed,
  columnOf,
  columns,
  columnsExcept,
  namedQuery,
  read,
  readOne,
  Select,
  sql,
  rawSql,
  write,
  Sql,
  type TableRow,
} from './sql/sql.js';
export {
  deleteRow,
  insertRow,
  selectRows,
  updateRow,
  type SharedTable,
  type Values,
  type WorkspaceTable,
} from './sql/rows.js';
