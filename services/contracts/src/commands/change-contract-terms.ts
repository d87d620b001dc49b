import { DomainError, INTERNAL, refuseProblems } from '@payroll/kernel';
import { defineCommand } from '@payroll/store';
import type { Contract } from '../domain/contract.js';
import { changeTerms, problemsOfTerms, type TermsChange } from '../domain/contract-terms.js';
import { differences } from '../domain/differences.js';
import { contractChanged } from './contract-changed.js';
import { contractAfter, findContract } from './find-contract.js';

export interface ChangeContractTerms extends TermsChange {
  id: string;
}

/** Holds for work that is not approved yet; what was agreed at first stays in the draft. */
export const changeContractTerms = defineCommand(
  'contract.change-terms',
  INTERNAL,
  async (tx, { id, ...change }: ChangeContractTerms): Promise<Contract> => {
    const contract = await findContract(tx, id);
    if (contract.status !== 'active') {
      throw new DomainError('INVALID_STATE', `The contract is ${contract.status}; terms change while it is active.`);
    }
    const terms = changeTerms(contract, change);
    refuseProblems(problemsOfTerms(terms), 'These are no terms that work can be paid by.');
    const changed = differences(changeTerms(contract, {}), terms);
    if (Object.keys(changed).length > 0) {
      Object.assign(contract, terms);
      contractChanged(tx, contract, 'terms-changed', changed);
    }
    return await contractAfter(tx, contract);
  },
);
