import { sandboxVersionOf } from '@payroll/service';
import { submitMilestone } from './review-milestone.js';
import { submitTimesheet } from './submit-timesheet.js';

// Submission by the worker.

export const submitTimesheetInSandbox = sandboxVersionOf('sandbox.submit-timesheet', submitTimesheet);

export const submitMilestoneInSandbox = sandboxVersionOf('sandbox.submit-milestone', submitMilestone);
