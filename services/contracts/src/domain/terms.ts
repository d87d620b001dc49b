import {
  CONTRACT_DRAFT,
  isPositiveDecimal,
  Money,
  problemsIn,
  rateProblem,
  type ContractDraft,
  type ErrorDetail,
} from '@payroll/kernel';
import { problemsOfDueDays } from './completion.js';
import { currencyOf, invoicingOf } from './draft.js';

/** The terms from which work and payments under a contract are calculated. */
export type ContractTerms = ReturnType<typeof termsOf>;

/** Labels of the terms in an amendment. */
export const TERMS_LABELS: Readonly<Record<Exclude<keyof ContractTerms, 'currency'>, string>> = {
  rate: 'Rate',
  paymentDueDays: 'Days from the end of a period to its payment',
  autoPayEnabled: 'Payments are made automatically when due',
  timesheetApprovalRequired: 'Timesheets need approval',
  autoApproveAfterDays: 'Days until a submitted timesheet is approved automatically',
};

/**
 * Terms that can change while a contract is active. Omitted terms keep their value; null ends auto-approval by time.
 */
export type TermsChange = {
  [Name in Exclude<keyof ContractTerms, 'currency'>]?: ContractTerms[Name] | null | undefined;
};

/** Terms that the worker agreed to: a change of them needs the worker again. All others are the business's own procedure. */
const AGREED = ['rate', 'paymentDueDays'] as const;

export type ProposedTerms = Partial<Pick<ContractTerms, (typeof AGREED)[number]>>;

/** The changed terms that need the worker's signature; empty if none do. */
export function proposedOf(before: ContractTerms, after: ContractTerms): ProposedTerms {
  const changed = AGREED.filter((name) => before[name] !== after[name]);
  return Object.fromEntries(changed.map((name) => [name, after[name]]));
}

/** The terms in a draft. A retainer is a rate per payment period. */
export function termsOf(draft: ContractDraft) {
  const { compensation, invoicingSettings } = draft;
  return {
    currency: currencyOf(draft),
    rate: compensation?.rate ?? compensation?.retainerAmount ?? null,
    ...invoicingOf(draft),
    autoApproveAfterDays: invoicingSettings?.autoApproveAfterDays ?? null,
  };
}

export function changeTerms(terms: ContractTerms, change: TermsChange): ContractTerms {
  const { currency } = terms;
  return {
    currency,
    rate: isSameRate(change.rate, terms) ? terms.rate : (change.rate ?? terms.rate),
    paymentDueDays: change.paymentDueDays ?? terms.paymentDueDays,
    autoPayEnabled: change.autoPayEnabled ?? terms.autoPayEnabled,
    timesheetApprovalRequired: change.timesheetApprovalRequired ?? terms.timesheetApprovalRequired,
    autoApproveAfterDays:
      change.autoApproveAfterDays === undefined ? terms.autoApproveAfterDays : change.autoApproveAfterDays,
  };
}

/** Compares by value: 85.5 equals 85.50 and makes no amendment. */
function isSameRate(one: string | null | undefined, { rate, currency }: ContractTerms): boolean {
  if (one == null || rate === null || !isPositiveDecimal(one)) return false;
  return Money.stored(one, currency).compare(Money.stored(rate, currency)) === 0;
}

const { compensation, invoicingSettings } = CONTRACT_DRAFT.fields;
const { paymentDueDays, autoApproveAfterDays } = invoicingSettings.fields;
const BOUNDS = { rate: compensation.fields.rate, paymentDueDays, autoApproveAfterDays };

export function problemsOfTerms(terms: ContractTerms): ErrorDetail[] {
  const problems = [...problemsIn(BOUNDS, terms), ...problemsOfDueDays(terms.paymentDueDays, 'paymentDueDays')];
  const { rate, currency } = terms;
  if (rate === null || problems.some(({ path }) => path === 'rate')) return problems;
  const code = rateProblem({ amount: rate, currency })?.code;
  return code === undefined ? problems : [{ path: 'rate', code }, ...problems];
}
