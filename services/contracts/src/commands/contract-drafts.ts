import {
  CONTRACT_DRAFT,
  DomainError,
  EDITORS_OR_INTERNAL,
  requiringScope,
  isId,
  ADMINS_OR_INTERNAL,
  newId,
  notFound,
  problemsOfDraft,
  textProblem,
  throwIfInvalid,
  type ContractDraft,
  type ErrorDetail,
} from '@payroll/kernel';
import { type CommandTransaction, defineCommand, type WorkspaceReader } from '@payroll/commands';
import { agreementOf } from '../domain/agreement.js';
import { problemsOfDates } from '../domain/completion.js';
import { DELETABLE, requireDraft } from '../domain/contract.js';
import {
  changeDraft,
  copyOf,
  currencyOf,
  differences,
  toStoredDraft,
  missingRequiredFields,
  type DraftChanges,
  type StoredDraft,
} from '../domain/draft.js';
import { ContractTable, WorkerTable } from '../store/tables.js';
import type { Contract } from '../store/views.js';
import {
  changeContract,
  contractAfter,
  findContract,
  publishMilestones,
  type ContractAtRevision,
  type ExpectedRevision,
} from './contract-record.js';

/** A draft made by the API or the application; it is completed and signed in the application (public-api.md §1). */
export const createContractDraft = defineCommand('contract.create-draft', {
  who: requiringScope('contracts:write'),
  find: (rows, { externalReference }: ContractDraft) => isTaken(rows, externalReference ?? null),
  decide: (tx, draft, taken) => {
    throwIfInvalid(problemsOfDraft(draft), 'The draft is not valid.');
    if (taken) {
      throw new DomainError(
        'EXTERNAL_REFERENCE_EXISTS',
        'A contract with this externalReference exists. Look it up by its reference, with includeDeleted=true.',
      );
    }
    return insertDraft(tx, draft, null);
  },
});

/** A new draft with the content and the worker of a contract that can no longer be corrected, or has ended. */
export const copyContract = defineCommand('contract.copy', {
  who: EDITORS_OR_INTERNAL,
  decide: async (tx, { id }: { id: string }) => {
    const contract = isId(id) ? await tx.find(ContractTable, { id }) : null;
    if (!contract || contract.deletedAt !== null) throw notFound('The contract');
    const { draft, workerId, rate, paymentDueDays, autoPayEnabled } = contract;
    const { timesheetApprovalRequired, autoApproveAfterDays } = contract;
    const terms = { rate, paymentDueDays, autoPayEnabled, timesheetApprovalRequired, autoApproveAfterDays };
    return await insertDraft(tx, copyOf(draft, terms), workerId);
  },
});

function insertDraft(tx: CommandTransaction, draft: ContractDraft, workerId: string | null): Promise<Contract> {
  const agreement = agreementOf(toStoredDraft(draft, newId));
  const contract = tx.insert(ContractTable, {
    id: newId(),
    revision: 1,
    ...agreement,
    status: 'draft',
    workerId,
    createdByPrincipal: tx.origin.actor.principalId,
    externalReference: draft.externalReference ?? null,
    businessSignedAt: null,
    workerSignedAt: null,
    returnReason: null,
    cancellationReason: null,
    deletedAt: null,
  });
  tx.audit('contract.draft-created', contract.id, { draft: agreement.draft });
  if (agreement.draft.milestones.length > 0) publishMilestones(tx, contract);
  return contractAfter(tx, contract);
}

/** There is no race: the change clock lets one command of the workspace run at a time. */
async function isTaken(rows: WorkspaceReader, externalReference: string | null): Promise<boolean> {
  // Read before the draft is checked: Postgres does not compare with a text that it does not store.
  if (externalReference === null || textProblem(externalReference, 1, 128) !== null) return false;
  const createdByPrincipal = rows.origin.actor.principalId;
  return (await rows.find(ContractTable, { createdByPrincipal, externalReference })) !== null;
}

/**
 * The application completes or corrects a draft; its types, terms and creator part are derived from the new content.
 */
export const updateContractDraft = defineCommand('contract.update-draft', {
  who: EDITORS_OR_INTERNAL,
  decide: async (tx, input: DraftChanges & ContractAtRevision) => {
    const { id, expectedRevision, ...changes } = input;
    const contract = await findContract(tx, { id, expectedRevision });
    requireDraft(contract.status);
    const before = contract.draft;
    const draft = changeDraft(before, changes, newId);
    const problems = [
      ...missingRequiredFields(CONTRACT_DRAFT.fields, draft),
      ...unknownCorrections(before, changes),
      ...missingCurrency(before, draft, changes),
      ...problemsOfDraft(draft),
      ...problemsOfDates(draft),
    ];
    throwIfInvalid(problems, 'These changes would make the draft invalid.');
    const changed = differences(before, draft);
    if (Object.keys(changed).length === 0) return await contractAfter(tx, contract);
    const updated = await changeContract(tx, contract, agreementOf(draft), 'draft-updated', changed);
    if ('milestones' in changed) publishMilestones(tx, updated);
    return await contractAfter(tx, updated);
  },
});

function unknownCorrections(draft: StoredDraft, changes: DraftChanges): ErrorDetail[] {
  const milestones = (changes.correctedMilestones ?? []).map(({ id }) => id);
  const deliverables = (changes.correctedDeliverables ?? []).map(({ id }) => id);
  return [
    ...unknown('correctedMilestones', milestones, draft.milestones),
    ...unknown('correctedDeliverables', deliverables, draft.creatorDeliverables),
    ...unknown('removedDeliverables', changes.removedDeliverables ?? [], draft.creatorDeliverables),
  ];
}

function unknown(
  list: string,
  ids: readonly string[],
  of: readonly { id: string }[] | null | undefined,
): ErrorDetail[] {
  const known = new Set(of?.map(({ id }) => id));
  return ids.flatMap((id, index) => (known.has(id) ? [] : [{ path: `${list}[${index}].id`, code: 'not_found' }]));
}

/**
 * Milestones and deliverables are converted to the draft's currency, but never to the default just because none was given.
 */
function missingCurrency(before: StoredDraft, after: StoredDraft, { compensation }: DraftChanges): ErrorDetail[] {
  const deliverables = new Set(before.creatorDeliverables?.map(({ id }) => id));
  const areKept = (after.creatorDeliverables ?? []).some(({ id }) => deliverables.has(id));
  const isAnother = (before.milestones.length > 0 || areKept) && currencyOf(before) !== currencyOf(after);
  return isAnother && compensation?.currency == null ? [{ path: 'compensation.currency', code: 'required' }] : [];
}

type Assignment = ExpectedRevision & { contractId: string; workerId: string };

/** Sets the worker of a draft; once submitted, the contract keeps this worker. */
export const assignWorker = defineCommand('contract.assign-worker', {
  who: EDITORS_OR_INTERNAL,
  decide: async (tx, input: Assignment) => {
    const contract = await findContract(tx, { ...input, id: input.contractId });
    requireDraft(contract.status);
    const { workerId } = input;
    if (!isId(workerId) || !(await tx.find(WorkerTable, { id: workerId }))) throw notFound('The worker');
    const change = { workerId: { from: contract.workerId, to: workerId } };
    return await contractAfter(tx, await changeContract(tx, contract, { workerId }, 'worker-assigned', change));
  },
});

/** Leaves a tombstone: the contract is still readable by id, and its external reference stays taken. */
export const deleteContract = defineCommand('contract.delete', {
  who: ADMINS_OR_INTERNAL,
  decide: async (tx, input: ContractAtRevision) => {
    const contract = await findContract(tx, input);
    if (!DELETABLE.has(contract.status)) {
      throw new DomainError(
        'INVALID_STATE',
        `The contract is ${contract.status}; only draft and cancelled contracts can be deleted.`,
      );
    }
    const change = { deletedAt: { from: null, to: tx.now } };
    return await contractAfter(tx, await changeContract(tx, contract, { deletedAt: tx.now }, 'deleted', change));
  },
});
