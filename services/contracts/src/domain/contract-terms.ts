import type { ContractDraft } from './contract-draft.js';
import type { ContractTerms } from './contract.js';

/** The terms a draft proposes, with the defaults of its schema (public-api.md §4). */
export function termsOf(draft: ContractDraft): ContractTerms {
  const { compensation, invoicingSettings } = draft;
  return {
    currency: compensation?.currency ?? 'USD',
    rate: compensation?.rate ?? null,
    paymentDueDays: invoicingSettings?.paymentDueDays ?? 0,
    autoPayEnabled: invoicingSettings?.autoPayEnabled ?? true,
    timesheetApprovalRequired: invoicingSettings?.timesheetApprovalRequired ?? true,
    autoApproveAfterDays: invoicingSettings?.autoApproveAfterDays ?? null,
  };
}
