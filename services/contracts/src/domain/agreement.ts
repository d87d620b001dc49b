import type { CalendarDate, ContractType, EmploymentType } from '@payroll/kernel';
import type { KeptDraft } from './contract-draft.js';
import { termsOf, type ContractTerms } from './contract-terms.js';
import { resolveTypes } from './contract-types.js';
import { creatorOf, type Creator } from './creator.js';

/** What a contract is as long as its draft alone says it. */
export interface Agreement extends ContractTerms {
  title: string;
  employmentType: EmploymentType;
  contractType: ContractType;
  startDate: CalendarDate | null;
  endDate: CalendarDate | null;
  terminationDate: CalendarDate | null;
  draft: KeptDraft;
  creator: Creator | null;
}

/** Follows from the draft alone; it must have no problems (see `problemsOfDraft`). */
export function agreementOf(draft: KeptDraft, idOfDeliverable: (index: number) => string): Agreement {
  const { title, startDate = null, endDate = null, terminationDate = null } = draft;
  const types = resolveTypes(draft);
  const terms = termsOf(draft);
  const creator = creatorOf(draft, types.contractType, terms.currency, idOfDeliverable);
  return { title, ...types, ...terms, startDate, endDate, terminationDate, draft, creator };
}
