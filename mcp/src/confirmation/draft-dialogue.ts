import type { ContractDraft } from '@payroll/public-api';
import type { Caller } from '../caller.js';
import { factsOf, quoted } from './show.js';

export type DraftBasics = Pick<
  ContractDraft,
  | 'title'
  | 'professionalEmail'
  | 'description'
  | 'employmentType'
  | 'contractType'
  | 'countryOfEmployment'
  | 'startDate'
  | 'endDate'
  | 'externalReference'
>;

/** Shows all that the model has filled in: the person answers for every word of it. */
export function draftDialogue({ workspaceName }: Caller, draft: DraftBasics): string {
  const optional = (text: string | undefined, most?: number) => (text === undefined ? null : quoted(text, most));
  const facts = factsOf([
    ['Workspace', quoted(workspaceName)],
    ['Title', quoted(draft.title)],
    ['Worker’s email', optional(draft.professionalEmail)],
    ['Employment type', draft.employmentType],
    ['Contract type', draft.contractType],
    ['Country of employment', optional(draft.countryOfEmployment)],
    ['Start date', draft.startDate],
    ['End date', draft.endDate],
    ['External reference', optional(draft.externalReference)],
    ['Description', optional(draft.description, 10_000)],
  ]);
  return `Create this contract draft? It will be completed and signed in the application; nothing is signed now.\n\n${facts}`;
}
