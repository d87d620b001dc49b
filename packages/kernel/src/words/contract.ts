// What a contract is and where it is in its life (public-api.md §2, §3).

export const CONTRACT_STATUSES = [
  'draft',
  'pending_verification',
  'ready_for_signature',
  'pending_signature',
  'signed',
  'active',
  'offboarding',
  'completed',
  'cancelled',
] as const;
export type ContractStatus = (typeof CONTRACT_STATUSES)[number];

export const EMPLOYMENT_TYPES = ['employee', 'contractor'] as const;
export type EmploymentType = (typeof EMPLOYMENT_TYPES)[number];

export const CONTRACT_TYPES = [
  'employment_at_will',
  'contractor_fixed',
  'contractor_milestone',
  'contractor_payg',
  'contractor_creator',
] as const;
export type ContractType = (typeof CONTRACT_TYPES)[number];

/** What each contract type makes of the worker: an employment type given beside it must agree (public-api.md §4). */
export const EMPLOYMENT_TYPE_OF: Readonly<Record<ContractType, EmploymentType>> = {
  employment_at_will: 'employee',
  contractor_fixed: 'contractor',
  contractor_milestone: 'contractor',
  contractor_payg: 'contractor',
  contractor_creator: 'contractor',
};
