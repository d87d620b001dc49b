import type { CalendarDate, ContractType, ErrorDetail } from '@payroll/kernel';
import type { KeptDraft } from './contract-draft.js';
import { problemsOfDates } from './draft-rules.js';

/** What decides whether a draft says enough to become a contract. */
export interface Completion {
  contractType: ContractType;
  workerId: string | null;
  startDate: CalendarDate | null;
  draft: KeptDraft;
}

/** All that a draft lacks before it can be verified: who works, from when on, and what its type needs to be paid. */
export function whatIsMissing({ contractType, workerId, startDate, draft }: Completion): ErrorDetail[] {
  const missing = [
    ...(workerId === null ? ['worker'] : []),
    ...(startDate === null ? ['startDate'] : []),
    ...[HOURLY_RATE, ...NEEDED[contractType]].filter(({ isMet }) => !isMet(draft)).map(({ path }) => path),
  ];
  return [...new Set(missing)].map((path): ErrorDetail => ({ path, code: 'required' })).concat(problemsOfDates(draft));
}

interface Need {
  path: string;
  isMet: (draft: KeptDraft) => boolean;
}

const RATE: Need = { path: 'compensation.rate', isMet: ({ compensation }) => Boolean(compensation?.rate) };

/** Whatever the type: who is paid by the hour has a rate. */
const HOURLY_RATE: Need = {
  path: RATE.path,
  isMet: (draft) => draft.compensation?.type !== 'hourly' || RATE.isMet(draft),
};

/** What is paid per period may be called a rate or a retainer (see `termsOf`). */
const RATE_OR_RETAINER: Need = {
  path: RATE.path,
  isMet: (draft) => RATE.isMet(draft) || Boolean(draft.compensation?.retainerAmount),
};

const NEEDED: Readonly<Record<ContractType, readonly Need[]>> = {
  employment_at_will: [{ path: 'countryOfEmployment', isMet: (draft) => Boolean(draft.countryOfEmployment) }],
  contractor_fixed: [RATE_OR_RETAINER],
  contractor_payg: [RATE],
  contractor_milestone: [{ path: 'milestones', isMet: ({ milestones }) => milestones.length > 0 }],
  contractor_creator: [
    { path: 'creatorTerms', isMet: ({ creatorTerms }) => Boolean(creatorTerms) },
    { path: 'creatorDeliverables', isMet: ({ creatorDeliverables }) => Boolean(creatorDeliverables?.length) },
  ],
};
