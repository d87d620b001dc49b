export { exactNumber, instant } from './columns.js';
export { CommandRunner, type CommandRunnerOptions } from './command-runner.js';
export { CommandTransaction, defineCommand, type Command } from './command.js';
export { asDomainError } from './database-error.js';
export type { DomainEvent, NewEvent } from './event.js';
export { Keyset, type Page, type PageRequest } from './keyset.js';
export { createMigration, migrate, tablesMatchMigrations } from './migrate.js';
export { defineSchema, openDatabase, type Rows, type Schema } from './orm.js';
export { writePathTables } from './tables.js';
