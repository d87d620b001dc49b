import type { ContractTerms } from '../src/domain/contract-terms.js';

/** The terms of an active contract, for tests. */
export const CONTRACT_TERMS: ContractTerms = {
  contractId: '018f0000-0000-7000-8000-00000000c001',
  status: 'active',
  currency: 'EUR',
  rate: '85.5',
  paymentDueDays: 14,
  autoPayEnabled: true,
  timesheetApprovalRequired: true,
  autoApproveAfterDays: null,
  deleted: false,
};
