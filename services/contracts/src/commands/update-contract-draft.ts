import { type ErrorDetail, INTERNAL, newId, refuseProblems } from '@payroll/kernel';
import { defineCommand } from '@payroll/store';
import { agreementOf } from '../domain/agreement.js';
import type { DraftChanges, KeptDraft } from '../domain/contract-draft.js';
import { requireDraft, type Contract } from '../domain/contract.js';
import { termsOf } from '../domain/contract-terms.js';
import { differences } from '../domain/differences.js';
import { changeDraft } from '../domain/keep-draft.js';
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
    const problems = [
      ...untitled,
      ...strangers(before, changes),
      ...unsaidCurrency(before, draft, changes),
      ...problemsOfDraft(draft),
      ...problemsOfDates(draft),
    ];
    refuseProblems(problems, 'The draft cannot be changed to this.');
    const changed = differences(before, draft);
    if (Object.keys(changed).length === 0) return await contractAfter(tx, contract);
    const known = 'creatorDeliverables' in changed ? [] : (contract.creator?.deliverables ?? []);
    Object.assign(
      contract,
      agreementOf(draft, (index) => known[index]?.id ?? newId()),
    );
    contractChanged(tx, contract, 'draft-updated', changed);
    if ('milestones' in changed) milestonesAgreed(tx, contract);
    return await contractAfter(tx, contract);
  },
);

/** Corrections of milestones that the draft does not have. */
function strangers({ milestones }: KeptDraft, { correctedMilestones }: DraftChanges): ErrorDetail[] {
  const known = new Set(milestones.map(({ id }) => id));
  return (correctedMilestones ?? []).flatMap(({ id }, index) =>
    known.has(id) ? [] : [{ path: `correctedMilestones[${index}].id`, code: 'not_found' }],
  );
}

/** Milestones follow the currency of the draft; they do not fall back to the default because nobody said one. */
function unsaidCurrency(before: KeptDraft, after: KeptDraft, { compensation }: DraftChanges): ErrorDetail[] {
  const isAnother = before.milestones.length > 0 && termsOf(before).currency !== termsOf(after).currency;
  return isAnother && compensation?.currency == null ? [{ path: 'compensation.currency', code: 'required' }] : [];
}
