import { isId, notFound } from '@payroll/kernel';
import type { CommandTransaction, WorkspaceRows } from '@payroll/commands';
import type { TableRow } from '@payroll/store';
import type { Standing } from '../domain/contract-terms.js';
import { ContractTermsTable, MilestoneTable, TimesheetTable } from '../store/tables.js';

export type TimesheetRow = TableRow<typeof TimesheetTable>;
export type MilestoneRow = TableRow<typeof MilestoneTable>;

/** The timesheet, locked until commit. */
export async function findTimesheet(rows: WorkspaceRows, id: string): Promise<TimesheetRow> {
  const timesheet = await rows.lock(TimesheetTable, id);
  if (!timesheet) throw notFound('The timesheet');
  return timesheet;
}

/** The milestone, locked until commit. */
export async function findMilestone(rows: WorkspaceRows, id: string): Promise<MilestoneRow> {
  const milestone = await rows.lock(MilestoneTable, id);
  if (!milestone) throw notFound('The milestone');
  return milestone;
}

/** The terms of now. They change in commands only, of which the workspace runs one at a time: no lock is needed. */
export async function findTerms(
  rows: WorkspaceRows,
  contractId: string,
): Promise<TableRow<typeof ContractTermsTable> | null> {
  return isId(contractId) ? await rows.find(ContractTermsTable, { contractId }) : null;
}

/** Of the contract of a milestone. A draft's milestones are here from the first moment, its terms once it is submitted. */
export async function findStanding(rows: WorkspaceRows, { contractId }: MilestoneRow): Promise<Standing> {
  return (await findTerms(rows, contractId)) ?? { status: 'draft', deleted: false };
}

/** Every write to a piece of work that its readers see makes a new version of it and moves its `updatedAt`. */
export function touch(tx: CommandTransaction, { revision }: { revision: number }) {
  return { revision: revision + 1, updatedAt: tx.now };
}
