import { DomainError, newId, requireScope } from '@payroll/kernel';
import { defineCommand } from '@payroll/store';
import type { ContractDraft } from '../domain/contract-draft.js';
import { termsOf } from '../domain/contract-terms.js';
import { resolveTypes } from '../domain/contract-types.js';
import { creatorOf } from '../domain/creator.js';
import type { Contract } from '../domain/contract.js';
import { ContractTable } from '../store/tables.js';
import { contractChanged } from './contract-changed.js';
import { contractAfter } from './find-contract.js';

/** A draft from the API or the application, to be completed and signed in the application (public-api.md §1). */
export const createContractDraft = defineCommand(
  'contract.create-draft',
  async (tx, draft: ContractDraft): Promise<Contract> => {
    const { actor } = tx.origin;
    requireScope(actor, 'contracts:write');
    const types = resolveTypes(draft);
    const externalReference = draft.externalReference ?? null;
    if (externalReference !== null) {
      // No race: the change clock lets one command of the workspace in at a time.
      const taken = await tx.em.count(ContractTable, {
        workspaceId: tx.workspaceId,
        createdByPrincipal: actor.principalId,
        externalReference,
      });
      if (taken > 0) {
        throw new DomainError(
          'EXTERNAL_REFERENCE_EXISTS',
          'A contract with this externalReference exists. Look it up by it.',
        );
      }
    }
    const terms = termsOf(draft);
    const contract = tx.em.create(ContractTable, {
      workspaceId: tx.workspaceId,
      id: newId(),
      revision: 0,
      title: draft.title,
      ...types,
      ...terms,
      status: 'draft',
      workerId: null,
      startDate: draft.startDate ?? null,
      endDate: draft.endDate ?? null,
      draft,
      creator: creatorOf(draft, types.contractType, terms.currency, newId),
      createdByPrincipal: actor.principalId,
      externalReference,
      businessSignedAt: null,
      workerSignedAt: null,
      createdAt: tx.now,
      updatedAt: tx.now,
      deletedAt: null,
    });
    tx.em.persist(contract);
    contractChanged(tx, contract, 'draft-created', { ...types, externalReference });
    return await contractAfter(tx, contract);
  },
);
