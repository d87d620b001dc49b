import { toEverybody, type ShownActs } from '@payroll/service';

export const acts: ShownActs = {
  'timesheet.submitted': toEverybody(),
  'timesheet.resubmitted': toEverybody(),
  'timesheet.terms-changed': toEverybody(),
  'timesheet.approved': toEverybody('total', 'currency'),
  'timesheet.rejected': toEverybody('reason'),
  'milestone.added': toEverybody('amount'),
  'milestone.updated': toEverybody('title', 'dueDate'),
  'milestone.submitted': toEverybody('amount', 'currency'),
  'milestone.resubmitted': toEverybody('amount', 'currency'),
  'milestone.approved': toEverybody(),
  'milestone.rejected': toEverybody('reason'),
};
