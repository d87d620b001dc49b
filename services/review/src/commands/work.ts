import { isId, requireFound } from '@payroll/kernel';
import type { CommandTransaction, WorkspaceReader } from '@payroll/commands';
import type { TableRow } from '@payroll/store';
import { newEvent } from '@payroll/events';
import { type ContractState, isOpenForWork } from '../domain/contract-terms.js';
import { ContractTermsTable, MilestoneTable, TimesheetTable } from '../store/tables.js';

export type TimesheetRow = TableRow<typeof TimesheetTable>;
export type MilestoneRow = TableRow<typeof MilestoneTable>;

/** The timesheet, locked until commit. */
export async function findTimesheet(rows: WorkspaceReader, id: string): Promise<TimesheetRow> {
  return requireFound(await rows.lock(TimesheetTable, id), 'The timesheet');
}

/** The milestone, locked until commit. */
export async function findMilestone(rows: WorkspaceReader, id: string): Promise<MilestoneRow> {
  return requireFound(await rows.lock(MilestoneTable, id), 'The milestone');
}

/** The current terms. Needs no lock: only commands change them, and a workspace runs one command at a time. */
export async function findTerms(
  rows: WorkspaceReader,
  contractId: string,
): Promise<TableRow<typeof ContractTermsTable> | null> {
  return isId(contractId) ? await rows.find(ContractTermsTable, { contractId }) : null;
}

/**
 * The state of the milestone's contract. A milestone of a draft may exist before the contract's terms, which are
 * published with the submission for verification.
 */
export async function findContractState(rows: WorkspaceReader, { contractId }: MilestoneRow): Promise<ContractState> {
  return (await findTerms(rows, contractId)) ?? { status: 'draft', deleted: false };
}

/** Next revision and `updatedAt`: every write that readers can see makes a new version. */
export function nextRevision(tx: CommandTransaction, { revision }: { revision: number }) {
  return { revision: revision + 1, updatedAt: tx.now };
}

/** Mails the admins that there is work to review. */
export function tellReviewers(tx: CommandTransaction, { id }: { id: string }): void {
  tx.emit(newEvent('notice.work', id, { kind: 'work_waiting', aboutId: id, workerId: null }));
}

/** Mails the worker that rejected work is theirs to correct, unless the contract has ended: then a correction is refused. */
export async function tellWorker(tx: CommandTransaction, work: { id: string; contractId: string }): Promise<void> {
  const { id, contractId } = work;
  const { status, workerId } = (await findTerms(tx, contractId)) ?? { status: 'draft', workerId: null };
  if (workerId !== null && isOpenForWork(status))
    tx.emit(newEvent('notice.work', id, { kind: 'work_sent_back', aboutId: id, workerId }));
}
