import { INTERNAL, newId } from '@payroll/kernel';
import { defineCommand } from '@payroll/store';
import { autoApprovalOf } from '../domain/auto-approval.js';
import { requireOpenForWork } from '../domain/contract-terms.js';
import { requirePeriodOfWork, type PeriodOfWork } from '../domain/period.js';
import { requireReckoning, type Timesheet } from '../domain/timesheet.js';
import { TimesheetTable } from '../store/tables.js';
import { toTimesheet } from '../store/to-timesheet.js';
import { findTerms } from './find-terms.js';
import { requireFreePeriod } from './require-free-period.js';

export interface SubmitTimesheet extends PeriodOfWork {
  contractId: string;
}

/** Work handed in for review, reckoned by the contract's terms of now. */
export const submitTimesheet = defineCommand(
  'timesheet.submit',
  INTERNAL,
  async (tx, input: SubmitTimesheet): Promise<Timesheet> => {
    requirePeriodOfWork(input);
    const id = newId();
    const terms = requireOpenForWork(await findTerms(tx, input.contractId));
    const work = { ...input, contractId: terms.contractId };
    await requireFreePeriod(tx, { id, ...work });
    const timesheet = tx.em.create(TimesheetTable, {
      workspaceId: tx.workspaceId,
      id,
      revision: 1,
      status: 'submitted',
      ...work,
      ...requireReckoning(terms, work),
      rejectionReason: null,
      paymentId: null,
      paymentStatus: null,
      paymentSequence: 0,
      submittedAt: tx.now,
      approveAt: autoApprovalOf(terms, tx.now)?.at ?? null,
      createdAt: tx.now,
      updatedAt: tx.now,
    });
    tx.em.persist(timesheet);
    tx.audit('timesheet.submitted', id, { contractId: work.contractId, total: timesheet.total });
    return toTimesheet(timesheet);
  },
);
