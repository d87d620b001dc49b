import type { CalendarDate } from '@payroll/kernel';
import type { ContractDraft, KeptDraft } from './contract-draft.js';
import type { ContractTerms } from './contract-terms.js';
import type { Signatures } from './contract.js';

/** What a contract's readers see, or see in another form. */
type Shown =
  | 'title'
  | 'employmentType'
  | 'contractType'
  | 'startDate'
  | 'endDate'
  | 'creatorTerms'
  | 'creatorDeliverables'
  | 'externalReference'
  | 'terminationDate';

/** All that is kept of a contract beside what its readers see. For internal teams. */
export interface ContractDetails extends Omit<ContractDraft, Shown>, Signatures {
  milestones: KeptDraft['milestones'];
  terms: ContractTerms;
  externalReference: string | null;
  createdByPrincipal: string;
  revision: number;
  terminationDate: CalendarDate | null;
  /** Why it was returned to draft; null once it is submitted again. */
  returnReason: string | null;
  cancellationReason: string | null;
}
