import { DomainError, holdersOf, newId, refuseProblems } from '@payroll/kernel';
import { defineCommand, type CommandTransaction } from '@payroll/store';
import { agreementOf } from '../domain/agreement.js';
import type { ContractDraft } from '../domain/contract-draft.js';
import type { Contract } from '../domain/contract.js';
import { keepDraft } from '../domain/keep-draft.js';
import { problemsOfDraft } from '../domain/draft-rules.js';
import { ContractTable } from '../store/tables.js';
import { contractChanged } from './contract-changed.js';
import { contractAfter } from './find-contract.js';
import { milestonesAgreed } from './milestones-agreed.js';

/** A draft from the API or the application, to be completed and signed in the application (public-api.md §1). */
export const createContractDraft = defineCommand(
  'contract.create-draft',
  holdersOf('contracts:write'),
  async (tx, draft: ContractDraft): Promise<Contract> => {
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
    tx.em.persist(contract);
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
