import { DomainError } from '@payroll/kernel';
import type { ContractType, EmploymentType } from './draft-words.js';

/** The pair of types of a draft: given ones must agree, a missing one follows the other (design: defaults of types). */
export function resolveTypes(given: {
  employmentType?: EmploymentType | null | undefined;
  contractType?: ContractType | null | undefined;
}): { employmentType: EmploymentType; contractType: ContractType } {
  const contractType = given.contractType ?? defaultContractType(given.employmentType);
  const employmentType = employmentTypeOf(contractType);
  if (given.employmentType && given.employmentType !== employmentType) {
    throw new DomainError('VALIDATION_FAILED', `A ${contractType} contract is for a ${employmentType}.`, {
      details: [{ path: 'contractType', code: 'types_disagree' }],
    });
  }
  return { employmentType, contractType };
}

function defaultContractType(employmentType: EmploymentType | null | undefined): ContractType {
  return employmentType === 'employee' ? 'employment_at_will' : 'contractor_fixed';
}

function employmentTypeOf(contractType: ContractType): EmploymentType {
  return contractType === 'employment_at_will' ? 'employee' : 'contractor';
}
