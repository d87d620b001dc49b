import { toAdmins, toEverybody, type ShownActs } from '@payroll/service';

/** Where money goes to is told to nobody here: an admin sees it, masked, where it is changed. */
export const acts: ShownActs = {
  'payment.created': toEverybody('gross'),
  'payment.processing': toEverybody('net'),
  'payment.completed': toEverybody('net'),
  'payment.failed': toEverybody('net', 'failureReason'),
  'payment.cancelled': toEverybody('net'),
  'payment.retried': toEverybody('net'),
  'payment.made-due': toEverybody('scheduledDate'),
  'deduction.added': toEverybody('name'),
  'deduction.removed': toEverybody('name'),
  'workspace.funded': toEverybody('amount'),
  'payee.registered': toAdmins('payoutMethod'),
  'payee.changed': toAdmins('payoutMethod'),
  'payee.verified': toAdmins(),
  'payee.rejected': toAdmins(),
  'calendar.moved': toEverybody('daysAhead'),
};
