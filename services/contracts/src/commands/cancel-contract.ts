import { INTERNAL, refuseProblems, textProblem } from '@payroll/kernel';
import { defineCommand } from '@payroll/store';
import { followContract, type Contract } from '../domain/contract.js';
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
    const reason = input.reason.trim();
    const code = textProblem(reason, 1, 2000);
    refuseProblems(code === null ? [] : [{ path: 'reason', code }], 'reason is a text of 1 to 2000 characters.');
    contract.cancellationReason = reason;
    return await moveContract(tx, contract, 'cancel', { reason });
  },
);
