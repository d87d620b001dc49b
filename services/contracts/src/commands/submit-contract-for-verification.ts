import { INTERNAL, refuseProblems } from '@payroll/kernel';
import { defineCommand } from '@payroll/store';
import { whatIsMissing } from '../domain/completion.js';
import { followContract, type Contract } from '../domain/contract.js';
import { findContract } from './find-contract.js';
import { moveContract } from './move-contract.js';

/** The draft says all that is needed: others look at it now, and it changes no more. */
export const submitContractForVerification = defineCommand(
  'contract.submit-for-verification',
  INTERNAL,
  async (tx, { id }: { id: string }): Promise<Contract> => {
    const contract = await findContract(tx, id);
    followContract(contract.status, 'submit for verification');
    refuseProblems(whatIsMissing(contract), 'The draft is not complete.');
    return await moveContract(tx, contract, 'submit for verification');
  },
);
