import { EMPLOYMENT_TYPE_OF, Money, type ContractDraft, type ContractType } from '@payroll/kernel';
import type { StoredDraft } from './draft.js';
import { termsOf } from './terms.js';

/** The creator part of an agreement. */
export interface Creator {
  terms: Shown<DraftTerms> | null;
  deliverables: (Shown<Omit<DraftDeliverable, 'amount' | 'sortOrder'>> & {
    amount: { amount: string; currency: string };
    sortOrder: number;
  })[];
}

type DraftTerms = NonNullable<ContractDraft['creatorTerms']>;
type DraftDeliverable = NonNullable<StoredDraft['creatorDeliverables']>[number];

/** Omitted fields are null. */
type Shown<Part> = { [Name in keyof Part]-?: Exclude<Part[Name], undefined> };

/** The contract columns that follow from its draft. The draft must have no problems (see `problemsOfDraft`). */
export function agreementOf(draft: StoredDraft) {
  const { title, startDate = null, endDate = null, terminationDate = null } = draft;
  const types = resolveTypes(draft);
  const terms = termsOf(draft);
  const creator = creatorOf(draft, types.contractType, terms.currency);
  return { title, ...types, ...terms, startDate, endDate, terminationDate, draft, creator };
}

/** The two types of a draft whose given types agree; a missing one is derived from the other. */
export function resolveTypes(given: Pick<ContractDraft, 'employmentType' | 'contractType'>) {
  const byDefault = given.employmentType === 'employee' ? 'employment_at_will' : 'contractor_fixed';
  const contractType = given.contractType ?? byDefault;
  return { employmentType: EMPLOYMENT_TYPE_OF[contractType], contractType };
}

/** The creator part of a draft: present for creator contracts, and whenever creator data was sent. */
function creatorOf(
  { creatorTerms, creatorDeliverables }: StoredDraft,
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
