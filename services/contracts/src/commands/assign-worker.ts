import { DomainError, isId, notFound, requireInternal } from '@payroll/kernel';
import { defineCommand } from '@payroll/store';
import type { Contract } from '../domain/contract.js';
import { WorkerTable } from '../store/tables.js';
import { contractChanged } from './contract-changed.js';
import { contractAfter, findContract } from './find-contract.js';

export interface AssignWorker {
  contractId: string;
  workerId: string;
}

/** Names the worker of a draft. Later the contract is about this person, whoever signs it. */
export const assignWorker = defineCommand(
  'contract.assign-worker',
  async (tx, input: AssignWorker): Promise<Contract> => {
    requireInternal(tx.origin.actor);
    const contract = await findContract(tx, input.contractId);
    if (contract.status !== 'draft') {
      throw new DomainError(
        'INVALID_STATE',
        `The contract is ${contract.status}; its worker is named while it is a draft.`,
      );
    }
    const { workspaceId } = tx;
    const known = isId(input.workerId) && (await tx.em.count(WorkerTable, { workspaceId, id: input.workerId })) === 1;
    if (!known) throw notFound('The worker');
    contract.workerId = input.workerId;
    contractChanged(tx, contract, 'worker-assigned', { workerId: input.workerId });
    return await contractAfter(tx, contract);
  },
);
