import { requireInternal } from '@payroll/kernel';
import { defineCommand } from '@payroll/store';
import { followContract, type Contract, type ContractEdge } from '../domain/contract.js';
import { contractChanged } from './contract-changed.js';
import { contractAfter, findContract } from './find-contract.js';

export interface AdvanceContract {
  id: string;
  /** Signing has its own command: it takes two sides. */
  edge: Exclude<ContractEdge, 'sign'>;
}

/** Moves a contract along one edge of its life, as the application's people do. */
export const advanceContract = defineCommand(
  'contract.advance',
  async (tx, { id, edge }: AdvanceContract): Promise<Contract> => {
    requireInternal(tx.origin.actor);
    const contract = await findContract(tx, id);
    const from = contract.status;
    contract.status = followContract(from, edge);
    contractChanged(tx, contract, edge.replaceAll(' ', '-'), { status: { from, to: contract.status } });
    return await contractAfter(tx, contract);
  },
);
