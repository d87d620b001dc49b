import { INTERNAL } from '@payroll/kernel';
import { defineCommand } from '@payroll/store';
import { autoApprovalOf } from '../domain/auto-approval.js';
import { requireOpenForWork } from '../domain/contract-terms.js';
import { correctWork, requirePeriodOfWork, type CorrectedWork } from '../domain/period.js';
import { followTimesheet, requireReckoning, type Timesheet } from '../domain/timesheet.js';
import { toTimesheet } from '../store/to-timesheet.js';
import { findTerms } from './find-terms.js';
import { findTimesheet } from './find-timesheet.js';
import { requireFreePeriod } from './require-free-period.js';
import { touch } from './touch.js';

export interface ResubmitTimesheet extends CorrectedWork {
  id: string;
}

/** Rejected work handed in again, corrected or not, and reckoned by the contract's terms of now. */
export const resubmitTimesheet = defineCommand(
  'timesheet.resubmit',
  INTERNAL,
  async (tx, { id, ...corrected }: ResubmitTimesheet): Promise<Timesheet> => {
    const timesheet = await findTimesheet(tx, id);
    const status = followTimesheet(timesheet.status, 'resubmit');
    const { contractId } = timesheet;
    const work = correctWork(timesheet, corrected);
    requirePeriodOfWork(work);
    const terms = requireOpenForWork(await findTerms(tx, contractId));
    await requireFreePeriod(tx, { id, contractId, ...work });
    Object.assign(timesheet, work, requireReckoning(terms, work));
    timesheet.status = status;
    timesheet.rejectionReason = null;
    timesheet.submittedAt = tx.now;
    timesheet.approveAt = autoApprovalOf(terms, tx.now)?.at ?? null;
    touch(tx, timesheet);
    tx.audit('timesheet.resubmitted', timesheet.id, { ...work, total: timesheet.total });
    return toTimesheet(timesheet);
  },
);
