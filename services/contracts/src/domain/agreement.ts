import { EMPLOYMENT_TYPE_OF, Money, type ContractDraft, type ContractType } from '@payroll/kernel';
import type { KeptDraft } from './draft.js';
import { termsOf } from './terms.js';

/** What a creator and the business agree on. */
export interface Creator {
  terms: Shown<DraftTerms> | null;
  deliverables: (Shown<Omit<DraftDeliverable, 'amount' | 'sortOrder'>> & {
    amount: { amount: string; currency: string };
    sortOrder: number;
  })[];
}

type DraftTerms = NonNullable<ContractDraft['creatorTerms']>;
type DraftDeliverable = NonNullable<KeptDraft['creatorDeliverables']>[number];

/** With null for what was not given. */
type Shown<Part> = { [Name in keyof Part]-?: Exclude<Part[Name], undefined> };

/** What a contract is as long as its draft alone says it; that must have no problems (see `problemsOfDraft`). */
export function agreementOf(draft: KeptDraft) {
  const { title, startDate = null, endDate = null, terminationDate = null } = draft;
  const types = resolveTypes(draft);
  const terms = termsOf(draft);
  const creator = creatorOf(draft, types.contractType, terms.currency);
  return { title, ...types, ...terms, startDate, endDate, terminationDate, draft, creator };
}

/** The pair of types of a draft whose given ones agree: a missing one follows the other (design: defaults of types). */
export function resolveTypes(given: Pick<ContractDraft, 'employmentType' | 'contractType'>) {
  const byDefault = given.employmentType === 'employee' ? 'employment_at_will' : 'contractor_fixed';
  const contractType = given.contractType ?? byDefault;
  return { employmentType: EMPLOYMENT_TYPE_OF[contractType], contractType };
}

/** The creator part of a draft: there is one for creator contracts, and wherever creator data was sent. */
function creatorOf(
  { creatorTerms, creatorDeliverables }: KeptDraft,
  contractType: ContractType,
  currency: string,
): Creator | null {
  if (contractType !== 'contractor_creator' && !creatorTerms && !creatorDeliverables?.length) return null;
  return {
    terms: creatorTerms
      ? {
          ...creatorTerms,
          exclusivityEndDate: creatorTerms.exclusivityEndDate ?? null,
          usageNote: creatorTerms.usageNote ?? null,
        }
      : null,
    deliverables: (creatorDeliverables ?? []).map(({ dueDate, amount, sortOrder, ...deliverable }, index) => ({
      ...deliverable,
      dueDate: dueDate ?? null,
      amount: Money.of(amount, currency).toJSON(),
      sortOrder: sortOrder ?? index,
    })),
  };
}
