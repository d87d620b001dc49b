import { LockMode, type InferEntity } from '@mikro-orm/core';
import { isId, notFound } from '@payroll/kernel';
import type { CommandTransaction } from '@payroll/store';
import { ContractTermsTable, MilestoneTable, TimesheetTable } from '../store/tables.js';

const LOCKED = { lockMode: LockMode.PESSIMISTIC_WRITE } as const;

export type TimesheetEntity = InferEntity<typeof TimesheetTable>;

/** The timesheet, locked until commit. */
export async function findTimesheet({ em, workspaceId }: CommandTransaction, id: string): Promise<TimesheetEntity> {
  const timesheet = isId(id) ? await em.findOne(TimesheetTable, { workspaceId, id }, LOCKED) : null;
  if (!timesheet) throw notFound('The timesheet');
  return timesheet;
}

export type MilestoneEntity = InferEntity<typeof MilestoneTable>;

/** The milestone, locked until commit. */
export async function findMilestone({ em, workspaceId }: CommandTransaction, id: string): Promise<MilestoneEntity> {
  const milestone = isId(id) ? await em.findOne(MilestoneTable, { workspaceId, id }, LOCKED) : null;
  if (!milestone) throw notFound('The milestone');
  return milestone;
}

/** The terms of now. They change in commands only, of which the workspace runs one at a time: no lock is needed. */
export async function findTerms(
  { em, workspaceId }: CommandTransaction,
  contractId: string,
): Promise<InferEntity<typeof ContractTermsTable> | null> {
  return isId(contractId) ? await em.findOne(ContractTermsTable, { workspaceId, contractId }) : null;
}

/** Every write to a piece of work that its readers see makes a new version of it and moves its `updatedAt`. */
export function touch(tx: CommandTransaction, work: { revision: number; updatedAt: string }): void {
  work.revision += 1;
  work.updatedAt = tx.now;
}
