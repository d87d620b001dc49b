import type { ErrorDetail } from '@payroll/kernel';
import { count, payableBy, positive, problemsIn } from './checks.js';
import type { ContractDraft } from './contract-draft.js';

/** What work and payments under the contract are reckoned by. */
export interface ContractTerms {
  currency: string;
  /** Decimal string per unit worked; null until the draft is completed. */
  rate: string | null;
  paymentDueDays: number;
  autoPayEnabled: boolean;
  timesheetApprovalRequired: boolean;
  autoApproveAfterDays: number | null;
}

/** What changes while a contract is active. What is not given stays; null ends approval by time. */
export interface TermsChange {
  rate?: string | null | undefined;
  paymentDueDays?: number | null | undefined;
  autoPayEnabled?: boolean | null | undefined;
  timesheetApprovalRequired?: boolean | null | undefined;
  autoApproveAfterDays?: number | null | undefined;
}

/**
 * The terms a draft proposes, with the defaults of its schema (public-api.md §4). A retainer is a rate whose unit is the
 * period it is paid for.
 */
export function termsOf({ compensation, invoicingSettings }: ContractDraft): ContractTerms {
  return {
    currency: compensation?.currency ?? 'USD',
    rate: compensation?.rate ?? compensation?.retainerAmount ?? null,
    paymentDueDays: invoicingSettings?.paymentDueDays ?? 0,
    autoPayEnabled: invoicingSettings?.autoPayEnabled ?? true,
    timesheetApprovalRequired: invoicingSettings?.timesheetApprovalRequired ?? true,
    autoApproveAfterDays: invoicingSettings?.autoApproveAfterDays ?? null,
  };
}

export function changeTerms(terms: ContractTerms, change: TermsChange): ContractTerms {
  const { currency } = terms;
  return {
    currency,
    rate: change.rate ?? terms.rate,
    paymentDueDays: change.paymentDueDays ?? terms.paymentDueDays,
    autoPayEnabled: change.autoPayEnabled ?? terms.autoPayEnabled,
    timesheetApprovalRequired: change.timesheetApprovalRequired ?? terms.timesheetApprovalRequired,
    autoApproveAfterDays:
      change.autoApproveAfterDays === undefined ? terms.autoApproveAfterDays : change.autoApproveAfterDays,
  };
}

export function problemsOfTerms(terms: ContractTerms): ErrorDetail[] {
  return problemsIn(terms, {
    rate: (rate) => positive(terms.currency)(rate) ?? payableBy(terms.currency)(rate),
    paymentDueDays: count(0),
    autoApproveAfterDays: count(1),
  });
}
