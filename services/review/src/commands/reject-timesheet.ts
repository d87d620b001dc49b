import { DomainError, requireScope } from '@payroll/kernel';
import { defineCommand } from '@payroll/store';
import { followTimesheet, type Timesheet } from '../domain/timesheet.js';
import { requireVersion, type Version } from '../domain/version.js';
import { toTimesheet } from '../store/to-timesheet.js';
import { findTimesheet, touch } from './find-timesheet.js';

export interface RejectTimesheet {
  id: string;
  expectedVersion: Version;
  /** At most 2000 characters and not only white space (public-api.md §4). */
  reason: string;
}

const MAX_REASON_LENGTH = 2_000;

/** Sends submitted work back with a reason. No payment comes of it. */
export const rejectTimesheet = defineCommand(
  'timesheet.reject',
  async (tx, input: RejectTimesheet): Promise<Timesheet> => {
    requireScope(tx.origin.actor, 'timesheets:write');
    const reason = input.reason.trim();
    if (reason === '' || [...reason].length > MAX_REASON_LENGTH) {
      throw new DomainError('VALIDATION_FAILED', 'reason is 1 to 2000 characters after trimming.', {
        details: [{ path: 'reason', code: 'length' }],
      });
    }
    const timesheet = await findTimesheet(tx, input.id);
    requireVersion(timesheet, input.expectedVersion);
    timesheet.status = followTimesheet(timesheet.status, 'reject');
    timesheet.rejectionReason = reason;
    touch(tx, timesheet);
    tx.audit('timesheet.rejected', timesheet.id, { reason });
    return toTimesheet(timesheet);
  },
);
