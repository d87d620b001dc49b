import { INTERNAL } from '@payroll/kernel';
import { defineCommand } from '@payroll/store';
import type { Contract } from '../domain/contract.js';
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
    return await moveContract(tx, await findContract(tx, id), edge);
  },
);
