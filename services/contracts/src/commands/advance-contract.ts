import { INTERNAL, refuseProblems } from '@payroll/kernel';
import { defineCommand } from '@payroll/store';
import { followContract, type Contract } from '../domain/contract.js';
import { whatCannotBePaid } from '../domain/payable-draft.js';
import { findContract } from './find-contract.js';
import { moveContract } from './move-contract.js';

export interface AdvanceContract {
  id: string;
  /** Those that need nothing but somebody's word; the others have commands of their own. */
  edge: 'verify' | 'request signatures' | 'activate' | 'complete';
}

/** Moves a contract along one edge of its life, as the application's people do. */
export const advanceContract = defineCommand(
  'contract.advance',
  INTERNAL,
  async (tx, { id, edge }: AdvanceContract): Promise<Contract> => {
    const contract = await findContract(tx, id);
    followContract(contract.status, edge);
    // Also what was submitted before this was asked: it goes back to draft.
    if (edge === 'verify') refuseProblems(whatCannotBePaid(contract.draft), 'The contract says what cannot be paid.');
    return await moveContract(tx, contract, edge);
  },
);
