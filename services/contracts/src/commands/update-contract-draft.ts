import { type ErrorDetail, INTERNAL, newId, refuseProblems } from '@payroll/kernel';
import { defineCommand } from '@payroll/store';
import { agreementOf } from '../domain/agreement.js';
import { changeDraft, type DraftChanges, type KeptDraft } from '../domain/contract-draft.js';
import { requireDraft, type Contract } from '../domain/contract.js';
import { termsOf } from '../domain/contract-terms.js';
import { differences } from '../domain/differences.js';
import { problemsOfDates, problemsOfDraft } from '../domain/draft-rules.js';
import { contractChanged } from './contract-changed.js';
import { contractAfter, findContract } from './find-contract.js';
import { milestonesAgreed } from './milestones-agreed.js';

export interface UpdateContractDraft extends DraftChanges {
  id: string;
}

/** The application completes or corrects a draft; types, terms and creator part follow from what it then says. */
export const updateContractDraft = defineCommand(
  'contract.update-draft',
  INTERNAL,
  async (tx, { id, ...changes }: UpdateContractDraft): Promise<Contract> => {
    const contract = await findContract(tx, id);
    requireDraft(contract.status);
    const before = contract.draft;
    const draft = changeDraft(before, changes, newId);
    const untitled = changes.title === null ? [{ path: 'title', code: 'required' }] : [];
    refuseProblems([...untitled, ...problemsOfUpdate(before, draft)], 'The draft cannot be changed to this.');
    const changed = differences(before, draft);
    if (Object.keys(changed).length === 0) return await contractAfter(tx, contract);
    const known = 'creatorDeliverables' in changed ? [] : (contract.creator?.deliverables ?? []);
    Object.assign(
      contract,
      agreementOf(draft, (index) => known[index]?.id ?? newId()),
    );
    contractChanged(tx, contract, 'draft-updated', changed);
    if (draft.milestones.length > before.milestones.length) milestonesAgreed(tx, contract);
    return await contractAfter(tx, contract);
  },
);

function problemsOfUpdate(before: KeptDraft, after: KeptDraft): ErrorDetail[] {
  const problems = [...problemsOfDraft(after), ...problemsOfDates(after)];
  // Milestones that review has are of the currency they were agreed in.
  const isAnother = before.milestones.length > 0 && termsOf(before).currency !== termsOf(after).currency;
  return isAnother ? [...problems, { path: 'compensation.currency', code: 'milestones_agreed' }] : problems;
}
