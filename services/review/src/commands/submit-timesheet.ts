import { DomainError, isId, isPositiveDecimal, newId, requireInternal, type CalendarDate } from '@payroll/kernel';
import { defineCommand } from '@payroll/store';
import { requireOpenForWork } from '../domain/contract-terms.js';
import { reckon, type Timesheet } from '../domain/timesheet.js';
import { ContractTermsTable, TimesheetTable } from '../store/tables.js';
import { toTimesheet } from '../store/to-timesheet.js';

export interface SubmitTimesheet {
  contractId: string;
  periodStart: CalendarDate;
  periodEnd: CalendarDate;
  /** Decimal string above zero: hours, days or pieces, as the rate is per. */
  unitsWorked: string;
}

/** Work handed in for review, reckoned by the contract's terms of now. */
export const submitTimesheet = defineCommand(
  'timesheet.submit',
  async (tx, input: SubmitTimesheet): Promise<Timesheet> => {
    requireInternal(tx.origin.actor);
    if (input.periodEnd < input.periodStart)
      throw invalid('periodEnd', 'before_start', 'The period ends before it starts.');
    if (!isPositiveDecimal(input.unitsWorked))
      throw invalid('unitsWorked', 'not_positive', 'unitsWorked is above zero.');
    const { workspaceId } = tx;
    const known = isId(input.contractId)
      ? await tx.em.findOne(ContractTermsTable, { workspaceId, contractId: input.contractId })
      : null;
    const terms = requireOpenForWork(known);
    const timesheet = tx.em.create(TimesheetTable, {
      workspaceId,
      id: newId(),
      revision: 1,
      status: 'submitted',
      ...input,
      ...reckon(terms, input.unitsWorked, input.periodEnd),
      rejectionReason: null,
      paymentId: null,
      paymentStatus: null,
      paymentSequence: 0,
      createdAt: tx.now,
      updatedAt: tx.now,
    });
    tx.em.persist(timesheet);
    tx.audit('timesheet.submitted', timesheet.id, { contractId: input.contractId, total: timesheet.total });
    return toTimesheet(timesheet);
  },
);

function invalid(path: string, code: string, message: string): DomainError {
  return new DomainError('VALIDATION_FAILED', message, { details: [{ path, code }] });
}
