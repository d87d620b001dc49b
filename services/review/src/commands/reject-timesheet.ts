import { holdersOf } from '@payroll/kernel';
import { defineCommand } from '@payroll/store';
import { readReason } from '../domain/rejection-reason.js';
import { followTimesheet, type Timesheet } from '../domain/timesheet.js';
import { requireVersion, type Version } from '../domain/version.js';
import { toTimesheet } from '../store/to-timesheet.js';
import { findTimesheet } from './find-timesheet.js';
import { touch } from './touch.js';

export interface RejectTimesheet {
  id: string;
  expectedVersion: Version;
  reason: string;
}

/** Sends submitted work back with a reason. No payment comes of it. */
export const rejectTimesheet = defineCommand(
  'timesheet.reject',
  holdersOf('timesheets:write'),
  async (tx, input: RejectTimesheet): Promise<Timesheet> => {
    const reason = readReason(input.reason);
    const timesheet = await findTimesheet(tx, input.id);
    requireVersion(timesheet, input.expectedVersion);
    timesheet.status = followTimesheet(timesheet.status, 'reject');
    timesheet.rejectionReason = reason;
    timesheet.approveAt = null;
    touch(tx, timesheet);
    tx.audit('timesheet.rejected', timesheet.id, { reason });
    return toTimesheet(timesheet);
  },
);
