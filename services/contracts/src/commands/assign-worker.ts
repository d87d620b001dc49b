import { INTERNAL, isId, notFound } from '@payroll/kernel';
import { defineCommand } from '@payroll/store';
import { requireDraft, type Contract } from '../domain/contract.js';
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
  INTERNAL,
  async (tx, input: AssignWorker): Promise<Contract> => {
    const contract = await findContract(tx, input.contractId);
    requireDraft(contract.status);
    const { workspaceId } = tx;
    const known = isId(input.workerId) && (await tx.em.count(WorkerTable, { workspaceId, id: input.workerId })) === 1;
    if (!known) throw notFound('The worker');
    const change = { workerId: { from: contract.workerId, to: input.workerId } };
    contract.workerId = input.workerId;
    contractChanged(tx, contract, 'worker-assigned', change);
    return await contractAfter(tx, contract);
  },
);
