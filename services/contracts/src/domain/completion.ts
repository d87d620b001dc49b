import {
  amountProblem,
  CONTRACT_DRAFT,
  isCountry,
  isCurrency,
  isReordered,
  isVisible,
  rateProblem,
  valuesIn,
  type CalendarDate,
  type ContractDraft,
  type ContractType,
  type ErrorDetail,
} from '@payroll/kernel';
import { currencyOf, type StoredDraft } from './draft.js';
import { LABELS } from './agreement-words.js';

export interface Completion {
  contractType: ContractType;
  workerId: string | null;
  startDate: CalendarDate | null;
  draft: StoredDraft;
}

/** All problems that keep a draft from verification. */
export function completionProblems(contract: Completion): ErrorDetail[] {
  const { draft } = contract;
  return [
    ...missingFields(contract),
    ...implausibleValues(contract),
    ...unpayableAmounts(draft),
    ...misleadingTexts(draft),
  ];
}

/** Texts that a signer does not see as they are stored: the public contract allows them in a draft. */
export function misleadingTexts(draft: StoredDraft): ErrorDetail[] {
  const reordered = valuesIn(CONTRACT_DRAFT.fields, draft)
    .filter(({ value }) => typeof value === 'string' && isReordered(value))
    .map(({ path }) => ({ path, code: 'invalid_characters' }));
  return [...reordered, ...(isVisible(draft.title) ? [] : [{ path: 'title', code: 'invisible' }])];
}

/** The fields a draft needs before verification: the worker, the start date, and the pay its type requires. */
export function missingFields({ contractType, workerId, startDate, draft }: Completion): ErrorDetail[] {
  const missing = [
    ...(workerId === null ? ['worker'] : []),
    ...(startDate === null ? ['startDate'] : []),
    ...[HOURLY_RATE, ...NEEDED[contractType]].filter(({ isMet }) => !isMet(draft)).map(({ path }) => path),
  ];
  return [...new Set(missing)].map((path): ErrorDetail => ({ path, code: 'required' })).concat(problemsOfDates(draft));
}

type Need = { path: string; isMet: (draft: StoredDraft) => boolean };

const RATE: Need = { path: 'compensation.rate', isMet: ({ compensation }) => Boolean(compensation?.rate) };

/** Regardless of the contract type: hourly pay needs a rate. */
const HOURLY_RATE: Need = {
  path: RATE.path,
  isMet: (draft) => draft.compensation?.type !== 'hourly' || RATE.isMet(draft),
};

/** Pay per period may be given as a rate or as a retainer (see `termsOf`). */
const RATE_OR_RETAINER: Need = {
  path: RATE.path,
  isMet: (draft) => RATE.isMet(draft) || Boolean(draft.compensation?.retainerAmount),
};

const NEEDED: Readonly<Record<ContractType, readonly Need[]>> = {
  employment_at_will: [
    { path: 'countryOfEmployment', isMet: (draft) => Boolean(draft.countryOfEmployment) },
    {
      path: 'compensation.annualSalary',
      isMet: (draft) =>
        Boolean(draft.compensation?.annualSalary) ||
        draft.compensation?.type === 'hourly' ||
        RATE_OR_RETAINER.isMet(draft),
    },
  ],
  contractor_fixed: [RATE_OR_RETAINER],
  contractor_payg: [RATE],
  contractor_milestone: [{ path: 'milestones', isMet: ({ milestones }) => milestones.length > 0 }],
  contractor_creator: [
    { path: 'creatorTerms', isMet: ({ creatorTerms }) => Boolean(creatorTerms) },
    { path: 'creatorDeliverables', isMet: ({ creatorDeliverables }) => Boolean(creatorDeliverables?.length) },
  ],
};

/** Contradictory dates. The public contract allows them in a draft; the application does not. */
export function problemsOfDates({
  startDate,
  endDate,
  terminationDate,
}: Pick<ContractDraft, 'startDate' | 'endDate' | 'terminationDate'>): ErrorDetail[] {
  const early = Object.entries({ endDate, terminationDate }).filter(
    ([, date]) => date && startDate && date < startDate,
  );
  const isLate = Boolean(terminationDate && endDate && terminationDate > endDate);
  return [
    ...early.map(([path]) => ({ path, code: 'before_start_date' })),
    ...(isLate ? [{ path: 'terminationDate', code: 'after_end_date' }] : []),
  ];
}

/**
 * Plausible bounds: no worker of an earlier contract can still be working, and nobody agrees on ten years of notice, or
 * waits ten years to be paid.
 */
const EARLIEST_START = '1950-01-01';
const LONGEST_NOTICE_DAYS = 3650;
const LATEST_DUE_DAYS = 3650;

/**
 * Implausible values. A draft keeps what was sent, but submission refuses unknown countries and implausible notice
 * periods.
 */
export function implausibleValues({ startDate, draft }: Pick<Completion, 'startDate' | 'draft'>): ErrorDetail[] {
  const countries = (['countryOfEmployment', 'governingCountry'] as const).filter(
    (path) => draft[path] && !isCountry(draft[path]),
  );
  return [
    ...countries.map((path) => ({ path, code: 'unknown_country' })),
    ...(startDate !== null && startDate < EARLIEST_START ? [{ path: 'startDate', code: 'implausible' }] : []),
    ...((draft.noticePeriodDays ?? 0) > LONGEST_NOTICE_DAYS ? [{ path: 'noticePeriodDays', code: 'implausible' }] : []),
    ...problemsOfDueDays(draft.invoicingSettings?.paymentDueDays, 'invoicingSettings.paymentDueDays'),
  ];
}

/** The public contract allows any number in a draft; after some of them, no calendar has a day of payment. */
export function problemsOfDueDays(days: number | null | undefined, path: string): ErrorDetail[] {
  return (days ?? 0) > LATEST_DUE_DAYS ? [{ path, code: 'implausible' }] : [];
}

/**
 * Unpayable amounts. A draft keeps what was sent (public-api.md §4), but is not verified or signed with such amounts
 * (ADR 17).
 */
export function unpayableAmounts(draft: StoredDraft): ErrorDetail[] {
  const currency = currencyOf(draft);
  const isKnown = isCurrency(currency);
  const problems = valuesIn(CONTRACT_DRAFT.fields, draft).flatMap(({ path, field, value }) => {
    if (field.kind !== 'amount') return [];
    const money = { amount: value as string, currency };
    const code =
      path === RATE.path ? rateProblem(money)?.code : isKnown ? amountProblem(money)?.code : 'unknown_currency';
    return code === undefined ? [] : [{ path, code }];
  });
  return isKnown ? problems : [{ path: 'compensation.currency', code: 'unknown_currency' }, ...problems];
}

/** A problem that keeps a draft from verification, with a message for the person who completes it. */
interface CompletionProblem extends ErrorDetail {
  message: string;
}

const REQUIRED: Readonly<Record<string, string>> = {
  worker: 'Choose who does the work.',
  startDate: 'Enter the first day of the contract.',
  countryOfEmployment: 'Enter the country of employment.',
  'compensation.annualSalary': 'Enter the annual salary, or a rate.',
  'compensation.rate': 'Enter what the work is paid: a rate, or a retainer where the contract is for a fixed fee.',
  milestones: 'Add at least one milestone.',
  creatorTerms: 'Enter the terms for the content: exclusivity and who owns it.',
  creatorDeliverables: 'Add at least one deliverable.',
};

const WRONG: Readonly<Record<string, string>> = {
  before_start_date: 'lies before the first day.',
  after_end_date: 'lies after the last day.',
  unknown_country: 'names no country.',
  implausible: 'cannot be meant: look at it again.',
  unknown_currency: 'is not in a currency that is paid out.',
  too_precise: 'has more decimal places than its currency.',
  out_of_range: 'is more than can be paid.',
  invalid_characters: 'has characters that change the order in which it is read: type it again without them.',
  invisible: 'has no character that can be seen.',
};

export function toCompletionProblem({ path, code }: ErrorDetail): CompletionProblem {
  const needed = code === 'required' ? REQUIRED[path] : undefined;
  const name = path === 'title' ? 'The title' : (LABELS[path.replaceAll(/\[\d+\]/g, '')] ?? path);
  return { path, code, message: needed ?? `${name} ${WRONG[code] ?? 'cannot be paid like this.'}` };
}
