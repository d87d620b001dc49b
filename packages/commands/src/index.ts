import { DeadLetterStepTable, DeadLetterTable, OutboxEventTable } from '@payroll/store';
import { AppliedOperationTable, AuditEntryTable, ChangeClockTable } from './run/tables.js';

export { defineCommand, type Command } from './run/command.js';
export {
  CommandTransaction,
  type DomainEvent,
  type Emitted,
  type EventInGeneration,
  type NewEvent,
  WorkspaceRows,
} from './run/command-transaction.js';
export { Commands, type Relay } from './run/commands.js';
export { AuditEntryTable } from './run/tables.js';
export { forgetOutcomes } from '@payroll/store';

/** What every service needs in its schema to run commands and to tell of them. */
export const writePathTables = [
  ChangeClockTable,
  AppliedOperationTable,
  OutboxEventTable,
  DeadLetterTable,
  DeadLetterStepTable,
  AuditEntryTable,
] as const;
