import { INTERNAL } from '@payroll/kernel';
import { defineCommand } from '@payroll/store';
import { followContract, type Contract } from '../domain/contract.js';
import { readReason } from '../domain/reason.js';
import { findContract } from './find-contract.js';
import { moveContract } from './move-contract.js';

export interface ReturnContractToDraft {
  id: string;
  /** What is to be corrected, in 1–2000 characters after trimming. */
  reason: string;
}

/** Whoever verifies a contract sends it back to be corrected. */
export const returnContractToDraft = defineCommand(
  'contract.return-to-draft',
  INTERNAL,
  async (tx, input: ReturnContractToDraft): Promise<Contract> => {
    const contract = await findContract(tx, input.id);
    followContract(contract.status, 'return');
    const reason = readReason(input.reason);
    contract.returnReason = reason;
    return await moveContract(tx, contract, 'return', { reason });
  },
);
