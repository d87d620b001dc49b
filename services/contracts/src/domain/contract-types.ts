import { EMPLOYMENT_TYPE_OF, type ContractType, type EmploymentType } from '@payroll/kernel';

interface GivenTypes {
  employmentType?: EmploymentType | null | undefined;
  contractType?: ContractType | null | undefined;
}

/** Whether the types that were given can be those of one contract. */
export function typesAgree({ employmentType, contractType }: GivenTypes): boolean {
  return !employmentType || !contractType || EMPLOYMENT_TYPE_OF[contractType] === employmentType;
}

/** The pair of types of a draft whose given ones agree: a missing one follows the other (design: defaults of types). */
export function resolveTypes(given: GivenTypes): { employmentType: EmploymentType; contractType: ContractType } {
  const contractType = given.contractType ?? defaultContractType(given.employmentType);
  return { employmentType: EMPLOYMENT_TYPE_OF[contractType], contractType };
}

function defaultContractType(employmentType: EmploymentType | null | undefined): ContractType {
  return employmentType === 'employee' ? 'employment_at_will' : 'contractor_fixed';
}
