import { DomainError, INTERNAL } from '@payroll/kernel';
import { defineCommand } from '@payroll/store';
import { DELETABLE, type Contract } from '../domain/contract.js';
import { contractChanged } from './contract-changed.js';
import { contractAfter, findContract } from './find-contract.js';

/** Leaves a tombstone: still read by id, its external reference stays taken. */
export const deleteContract = defineCommand(
  'contract.delete',
  INTERNAL,
  async (tx, { id }: { id: string }): Promise<Contract> => {
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
  },
);
