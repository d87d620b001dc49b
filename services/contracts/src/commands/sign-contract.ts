import { INTERNAL } from '@payroll/kernel';
import { defineCommand } from '@payroll/store';
import { sign, type Contract, type SigningSide } from '../domain/contract.js';
import { contractChanged } from './contract-changed.js';
import { contractAfter, findContract } from './find-contract.js';

export interface SignContract {
  id: string;
  side: SigningSide;
}

/** One side signs; again changes nothing. The API never does this (public-api.md §1). */
export const signContract = defineCommand(
  'contract.sign',
  INTERNAL,
  async (tx, { id, side }: SignContract): Promise<Contract> => {
    const contract = await findContract(tx, id);
    const from = contract.status;
    const after = sign(from, contract, side, tx.now);
    const isNew =
      after.businessSignedAt !== contract.businessSignedAt || after.workerSignedAt !== contract.workerSignedAt;
    if (isNew) {
      Object.assign(contract, after);
      contractChanged(tx, contract, 'signed', { side, status: { from, to: contract.status } });
    }
    return await contractAfter(tx, contract);
  },
);
