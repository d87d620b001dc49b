import 'reflect-metadata';
import { registerEnumType } from 'type-graphql';
import {
  EMPLOYMENT_TYPES,
  CONTRACT_TYPES,
  DEPARTMENTS,
  SENIORITIES,
  EMPLOYMENT_SUBTYPES,
  DISPUTE_RESOLUTION_METHODS,
  COMPENSATION_TYPES,
  FREQUENCIES,
  SALARY_UNITS,
  PAYMENT_METHODS,
  FIRST_PAYMENT_METHODS,
  TIMESHEET_SUBMITTERS,
  BENEFIT_FREQUENCIES,
  EXCLUSIVITIES,
  IP_OWNERSHIPS,
  CREATOR_PLATFORMS,
  CREATOR_FORMATS,
} from '../domain/draft-words.js';
import { CONTRACT_STATUSES, SIGNING_SIDES } from '../domain/contract.js';

/** An enum whose GraphQL names are the stored words themselves. */
function wordsEnum<Word extends string>(name: string, words: readonly Word[], description: string): Record<Word, Word> {
  const values = Object.fromEntries(words.map((word) => [word, word])) as Record<Word, Word>;
  registerEnumType(values, { name, description });
  return values;
}

export const ContractStatusEnum = wordsEnum('ContractStatus', CONTRACT_STATUSES, 'Where a contract is in its life.');
export const EmploymentTypeEnum = wordsEnum('EmploymentType', EMPLOYMENT_TYPES, 'What the worker is to the business.');
export const ContractTypeEnum = wordsEnum('ContractType', CONTRACT_TYPES, 'How the work is paid.');
export const DepartmentEnum = wordsEnum('Department', DEPARTMENTS, 'Department.');
export const SeniorityEnum = wordsEnum('Seniority', SENIORITIES, 'Seniority.');
export const EmploymentSubtypeEnum = wordsEnum('EmploymentSubtype', EMPLOYMENT_SUBTYPES, 'Employment subtype.');
export const DisputeResolutionMethodEnum = wordsEnum(
  'DisputeResolutionMethod',
  DISPUTE_RESOLUTION_METHODS,
  'Dispute resolution method.',
);
export const CompensationTypeEnum = wordsEnum('CompensationType', COMPENSATION_TYPES, 'Compensation type.');
export const FrequencyEnum = wordsEnum('Frequency', FREQUENCIES, 'How often.');
export const SalaryUnitEnum = wordsEnum('SalaryUnit', SALARY_UNITS, 'Salary unit.');
export const PaymentMethodEnum = wordsEnum('PaymentMethod', PAYMENT_METHODS, 'Payment method.');
export const FirstPaymentMethodEnum = wordsEnum('FirstPaymentMethod', FIRST_PAYMENT_METHODS, 'First payment method.');
export const TimesheetSubmitterEnum = wordsEnum('TimesheetSubmitter', TIMESHEET_SUBMITTERS, 'Timesheet submitter.');
export const BenefitFrequencyEnum = wordsEnum('BenefitFrequency', BENEFIT_FREQUENCIES, 'How often a benefit is due.');
export const ExclusivityEnum = wordsEnum('Exclusivity', EXCLUSIVITIES, 'Exclusivity.');
export const IpOwnershipEnum = wordsEnum('IpOwnership', IP_OWNERSHIPS, 'Ip ownership.');
export const CreatorPlatformEnum = wordsEnum('CreatorPlatform', CREATOR_PLATFORMS, 'Creator platform.');
export const CreatorFormatEnum = wordsEnum('CreatorFormat', CREATOR_FORMATS, 'Creator format.');
export const SigningSideEnum = wordsEnum('SigningSide', SIGNING_SIDES, 'Who signs.');
