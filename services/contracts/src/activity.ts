import { toEverybody, type ShownActs } from '@payroll/service';

export const acts: ShownActs = {
  'contract.draft-created': toEverybody(),
  'contract.draft-updated': toEverybody('title', 'startDate', 'endDate', 'contractType'),
  'contract.worker-assigned': toEverybody(),
  'contract.submitted-for-verification': toEverybody(),
  'contract.verified': toEverybody(),
  'contract.returned-to-draft': toEverybody('reason'),
  'contract.signatures-requested': toEverybody(),
  'contract.signed': toEverybody('side'),
  'contract.changes-asked': toEverybody('reason'),
  'contract.activated': toEverybody(),
  'contract.terms-changed': toEverybody('rate', 'paymentDueDays', 'autoPayEnabled', 'autoApproveAfterDays'),
  'contract.terms-proposed': toEverybody('rate', 'paymentDueDays'),
  'contract.amendment-withdrawn': toEverybody(),
  'contract.offboarding-started': toEverybody('endDate', 'terminationDate'),
  'contract.completed': toEverybody(),
  'contract.cancelled': toEverybody('reason'),
  'contract.deleted': toEverybody(),
  'worker.registered': toEverybody('name'),
  'worker.updated': toEverybody('name'),
};
