import { LockMode, type InferEntity } from '@mikro-orm/core';
import { isId, notFound } from '@payroll/kernel';
import type { CommandTransaction } from '@payroll/store';
import { TimesheetTable } from '../store/tables.js';

export type TimesheetEntity = InferEntity<typeof TimesheetTable>;

/** The timesheet, locked until commit. */
export async function findTimesheet({ em, workspaceId }: CommandTransaction, id: string): Promise<TimesheetEntity> {
  const timesheet = isId(id)
    ? await em.findOne(TimesheetTable, { workspaceId, id }, { lockMode: LockMode.PESSIMISTIC_WRITE })
    : null;
  if (!timesheet) throw notFound('The timesheet');
  return timesheet;
}
