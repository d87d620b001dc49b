import {
  DomainError,
  holdersOf,
  INTERNAL,
  isId,
  newId,
  notFound,
  problemsOfDraft,
  refuseProblems,
  type ContractDraft,
  type ErrorDetail,
} from '@payroll/kernel';
import { defineCommand, type CommandTransaction } from '@payroll/store';
import { agreementOf } from '../domain/agreement.js';
import { problemsOfDates } from '../domain/completion.js';
import { DELETABLE, requireDraft } from '../domain/contract.js';
import { changeDraft, currencyOf, differences, keepDraft, type DraftChanges, type KeptDraft } from '../domain/draft.js';
import { ContractTable, WorkerTable } from '../store/tables.js';
import { contractAfter, contractChanged, findContract, milestonesAgreed } from './contract-record.js';

/** A draft from the API or the application, to be completed and signed in the application (public-api.md §1). */
export const createContractDraft = defineCommand(
  'contract.create-draft',
  holdersOf('contracts:write'),
  async (tx, draft: ContractDraft) => {
    const { actor } = tx.origin;
    refuseProblems(problemsOfDraft(draft), 'This cannot be kept as a draft.');
    const externalReference = draft.externalReference ?? null;
    if (externalReference !== null) await requireFree(tx, externalReference);
    const agreement = agreementOf(keepDraft(draft, newId), newId);
    const contract = tx.em.create(ContractTable, {
      workspaceId: tx.workspaceId,
      id: newId(),
      revision: 0,
      ...agreement,
      status: 'draft',
      workerId: null,
      createdByPrincipal: actor.principalId,
      externalReference,
      businessSignedAt: null,
      workerSignedAt: null,
      returnReason: null,
      cancellationReason: null,
      createdAt: tx.now,
      updatedAt: tx.now,
      deletedAt: null,
    });
    contractChanged(tx, contract, 'draft-created', { draft: agreement.draft });
    if (agreement.draft.milestones.length > 0) milestonesAgreed(tx, contract);
    return await contractAfter(tx, contract);
  },
);

/** No race: the change clock lets one command of the workspace in at a time. */
async function requireFree({ em, workspaceId, origin }: CommandTransaction, externalReference: string): Promise<void> {
  const createdByPrincipal = origin.actor.principalId;
  const taken = await em.count(ContractTable, { workspaceId, createdByPrincipal, externalReference });
  if (taken === 0) return;
  throw new DomainError(
    'EXTERNAL_REFERENCE_EXISTS',
    'A contract with this externalReference exists. Look it up by it.',
  );
}

/** The application completes or corrects a draft; types, terms and creator part follow from what it then says. */
export const updateContractDraft = defineCommand(
  'contract.update-draft',
  INTERNAL,
  async (tx, input: DraftChanges & { id: string }) => {
    const { id, ...changes } = input;
    const contract = await findContract(tx, id);
    requireDraft(contract.status);
    const before = contract.draft;
    const draft = changeDraft(before, changes, newId);
    const untitled = changes.title === null ? [{ path: 'title', code: 'required' }] : [];
    const problems = [
      ...untitled,
      ...unknownCorrections(before, changes),
      ...missingCurrency(before, draft, changes),
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

function unknownCorrections({ milestones }: KeptDraft, { correctedMilestones }: DraftChanges): ErrorDetail[] {
  const known = new Set(milestones.map(({ id }) => id));
  return (correctedMilestones ?? []).flatMap(({ id }, index) =>
    known.has(id) ? [] : [{ path: `correctedMilestones[${index}].id`, code: 'not_found' }],
  );
}

/** Milestones follow the currency of the draft, but never to the default because none was given. */
function missingCurrency(before: KeptDraft, after: KeptDraft, { compensation }: DraftChanges): ErrorDetail[] {
  const isAnother = before.milestones.length > 0 && currencyOf(before) !== currencyOf(after);
  return isAnother && compensation?.currency == null ? [{ path: 'compensation.currency', code: 'required' }] : [];
}

type Assignment = { contractId: string; workerId: string };

/** Names the worker of a draft; after that the contract stays with this person. */
export const assignWorker = defineCommand('contract.assign-worker', INTERNAL, async (tx, input: Assignment) => {
  const contract = await findContract(tx, input.contractId);
  requireDraft(contract.status);
  const { workspaceId } = tx;
  const known = isId(input.workerId) && (await tx.em.count(WorkerTable, { workspaceId, id: input.workerId })) === 1;
  if (!known) throw notFound('The worker');
  const change = { workerId: { from: contract.workerId, to: input.workerId } };
  contract.workerId = input.workerId;
  contractChanged(tx, contract, 'worker-assigned', change);
  return await contractAfter(tx, contract);
});

/** Leaves a tombstone: still read by id, its external reference stays taken. */
export const deleteContract = defineCommand('contract.delete', INTERNAL, async (tx, { id }: { id: string }) => {
  const contract = await findContract(tx, id);
  if (!DELETABLE.has(contract.status)) {
    throw new DomainError(
      'INVALID_STATE',
      `The contract is ${contract.status}; only drafts and cancelled contracts are deleted.`,
    );
  }
  contract.deletedAt = tx.now;
  contractChanged(tx, contract, 'deleted', { deletedAt: { from: null, to: tx.now } });
  return await contractAfter(tx, contract);
});
