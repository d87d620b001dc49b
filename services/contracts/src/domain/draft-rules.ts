import type { ErrorDetail } from '@payroll/kernel';
import {
  anyText,
  count,
  day,
  eachId,
  eachText,
  email,
  notNegative,
  percentage,
  positive,
  problemsIn,
  problemsInEach,
  text,
  type Checks,
} from './checks.js';
import type {
  Benefits,
  Compensation,
  ContractDraft,
  CreatorTerms,
  DraftDeliverable,
  DraftMilestone,
  InvoicingSettings,
} from './contract-draft.js';
import { resolveTypes, typesAgree } from './contract-types.js';

/** All that makes a draft unfit to be kept (public-api.md §4), whichever door it came through. */
export function problemsOfDraft(draft: ContractDraft): ErrorDetail[] {
  const { compensation } = draft;
  const isCurrency = /^[A-Z]{3}$/.test(compensation?.currency ?? 'USD');
  // With an unknown currency amounts are measured as the default's, so that all is said at once.
  const currency = isCurrency ? (compensation?.currency ?? 'USD') : 'USD';
  return [
    ...problemsIn(draft, BASICS),
    ...problemsOfTypes(draft),
    ...(isCurrency ? [] : [{ path: 'compensation.currency', code: 'invalid_format' }]),
    ...problemsIn(compensation, compensationChecks(currency), 'compensation'),
    ...problemsIn(draft.invoicingSettings, invoicingChecks(currency), 'invoicingSettings'),
    ...problemsIn(draft.benefits, benefitChecks(currency), 'benefits'),
    ...problemsInEach(draft.milestones, milestoneChecks(currency), 'milestones'),
    ...problemsIn(draft.creatorTerms, CREATOR_TERMS, 'creatorTerms'),
    ...problemsInEach(draft.creatorDeliverables, deliverableChecks(currency), 'creatorDeliverables'),
  ];
}

/**
 * Days that contradict each other. The public contract lets them into a draft; the application, which completes it,
 * does not.
 */
export function problemsOfDates({
  startDate,
  endDate,
  terminationDate,
}: Pick<ContractDraft, 'startDate' | 'endDate' | 'terminationDate'>): ErrorDetail[] {
  if (!startDate) return [];
  return Object.entries({ endDate, terminationDate })
    .filter(([, date]) => date && date < startDate)
    .map(([path]) => ({ path, code: 'before_start_date' }));
}

function problemsOfTypes(draft: ContractDraft): ErrorDetail[] {
  if (!typesAgree(draft)) return [{ path: 'contractType', code: 'types_disagree' }];
  const isEmployee = resolveTypes(draft).employmentType === 'employee';
  return isEmployee && !draft.countryOfEmployment ? [{ path: 'countryOfEmployment', code: 'required' }] : [];
}

const BASICS: Checks<ContractDraft> = {
  title: text(1, 200),
  professionalEmail: email,
  description: text(0, 10_000),
  countryOfEmployment: text(2, 2),
  startDate: day,
  endDate: day,
  terminationDate: day,
  noticePeriodDays: count(0),
  specialClauses: text(0, 20_000),
  serviceTypes: eachText,
  skills: eachText,
  tools: eachText,
  governingCountry: text(2, 2),
  governingStateProvince: text(0, 100),
  workSchedule: anyText,
  externalReference: text(1, 128),
};

const compensationChecks = (currency: string): Checks<Compensation> => ({
  rate: positive(currency),
  annualSalary: positive(currency),
  retainerAmount: positive(currency),
  signingBonus: notNegative(currency),
  probationPeriodDays: count(0),
  effectiveDate: day,
});

const invoicingChecks = (currency: string): Checks<InvoicingSettings> => ({
  cycleClosesOn: anyText,
  paymentDueDays: count(0),
  firstPaymentAmount: positive(currency),
  firstPaymentDate: day,
  autoApproveAfterDays: count(1),
});

const benefitChecks = (currency: string): Checks<Benefits> => ({
  bonusAmount: positive(currency),
  allowanceAmount: positive(currency),
  commissionPercentage: percentage,
  timeOffDays: count(0),
});

const milestoneChecks = (currency: string): Checks<DraftMilestone> => ({
  title: text(1, 200),
  description: text(0, 10_000),
  amount: positive(currency),
  dueDate: day,
  sortOrder: count(0),
  documentIds: eachId,
});

const CREATOR_TERMS: Checks<CreatorTerms> = { exclusivityEndDate: day, usageNote: text(0, 2000) };

const deliverableChecks = (currency: string): Checks<DraftDeliverable> => ({
  brief: text(1, 2000),
  dueDate: day,
  amount: positive(currency),
  sortOrder: count(0),
});
