import { toAdmins, toEverybody, type ShownActs } from '@payroll/service';

/** Leaves out where money goes: an admin sees the destination, masked, on the page that changes it. */
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
  'payee.change-stopped': toAdmins(),
  'payee.doubted': toAdmins(),
  'calendar.moved': toEverybody('daysAhead'),
};
