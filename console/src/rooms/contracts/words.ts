import type { TagLook } from '@payroll/pages';

export const CONTRACT_STATUSES: Readonly<Record<string, string>> = {
  draft: 'Draft',
  pending_verification: 'Waiting for verification',
  ready_for_signature: 'Ready to sign',
  pending_signature: 'Waiting for a signature',
  signed: 'Signed',
  active: 'Active',
  offboarding: 'Ending',
  completed: 'Completed',
  cancelled: 'Cancelled',
};

export const CONTRACT_TYPES: Readonly<Record<string, string>> = {
  employment_at_will: 'Employment at will',
  contractor_fixed: 'Fixed',
  contractor_milestone: 'By milestone',
  contractor_payg: 'Pay as you go',
  contractor_creator: 'Creator',
};

export function contractLook(status: string): TagLook {
  if (status === 'active') return 'good';
  return status === 'cancelled' ? 'bad' : 'plain';
}
