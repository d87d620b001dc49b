import { INTERNAL, refuseProblems } from '@payroll/kernel';
import { defineCommand } from '@payroll/store';
import { whatIsMissing } from '../domain/completion.js';
import { followContract, type Contract } from '../domain/contract.js';
import { whatCannotBePaid } from '../domain/payable-draft.js';
import { findContract } from './find-contract.js';
import { moveContract } from './move-contract.js';

/** The draft says all that is needed: others look at it now, and it changes no more. */
export const submitContractForVerification = defineCommand(
  'contract.submit-for-verification',
  INTERNAL,
  async (tx, { id }: { id: string }): Promise<Contract> => {
    const contract = await findContract(tx, id);
    followContract(contract.status, 'submit for verification');
    const problems = [...whatIsMissing(contract), ...whatCannotBePaid(contract.draft)];
    refuseProblems(problems, 'The draft is not complete, or says what cannot be paid.');
    contract.returnReason = null;
    return await moveContract(tx, contract, 'submit for verification');
  },
);
