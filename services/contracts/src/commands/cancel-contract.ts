import { INTERNAL } from '@payroll/kernel';
import { defineCommand } from '@payroll/store';
import { followContract, type Contract } from '../domain/contract.js';
import { readReason } from '../domain/reason.js';
import { findContract } from './find-contract.js';
import { moveContract } from './move-contract.js';

export interface CancelContract {
  id: string;
  /** Why, in 1–2000 characters after trimming. */
  reason: string;
}

/** Ends a contract before its completion, for ever. */
export const cancelContract = defineCommand(
  'contract.cancel',
  INTERNAL,
  async (tx, input: CancelContract): Promise<Contract> => {
    const contract = await findContract(tx, input.id);
    followContract(contract.status, 'cancel');
    const reason = readReason(input.reason);
    contract.cancellationReason = reason;
    return await moveContract(tx, contract, 'cancel', { reason });
  },
);
