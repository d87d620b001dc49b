import 'reflect-metadata';
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
  CONTRACT_STATUSES,
} from '@payroll/kernel';
import { registerEnumType } from 'type-graphql';
import { SIGNING_SIDES } from '../domain/contract.js';

/** An enum whose GraphQL names are the stored words themselves. */
function wordsEnum<Word extends string>(name: string, words: readonly Word[], description: string): Record<Word, Word> {
  const values = Object.fromEntries(words.map((word) => [word, word])) as Record<Word, Word>;
  registerEnumType(values, { name, description });
  return values;
}

export const ContractStatusEnum = wordsEnum('ContractStatus', CONTRACT_STATUSES, 'Where a contract is in its life.');
export const EmploymentTypeEnum = wordsEnum('EmploymentType', EMPLOYMENT_TYPES, 'What the worker is to the business.');
export const ContractTypeEnum = wordsEnum('ContractType', CONTRACT_TYPES, 'How the work is paid.');
export const DepartmentEnum = wordsEnum('Department', DEPARTMENTS, 'The department the work belongs to.');
export const SeniorityEnum = wordsEnum('Seniority', SENIORITIES, 'How experienced the worker is.');
export const EmploymentSubtypeEnum = wordsEnum(
  'EmploymentSubtype',
  EMPLOYMENT_SUBTYPES,
  'How much of a working week it takes.',
);
export const DisputeResolutionMethodEnum = wordsEnum(
  'DisputeResolutionMethod',
  DISPUTE_RESOLUTION_METHODS,
  'Who decides a dispute.',
);
export const CompensationTypeEnum = wordsEnum(
  'CompensationType',
  COMPENSATION_TYPES,
  'What the compensation is reckoned by.',
);
export const FrequencyEnum = wordsEnum('Frequency', FREQUENCIES, 'How often.');
export const SalaryUnitEnum = wordsEnum('SalaryUnit', SALARY_UNITS, 'What a salary is told per.');
export const PaymentMethodEnum = wordsEnum('PaymentMethod', PAYMENT_METHODS, 'How the worker wants to be paid.');
export const FirstPaymentMethodEnum = wordsEnum(
  'FirstPaymentMethod',
  FIRST_PAYMENT_METHODS,
  'Whether the first period is paid in full or by its days.',
);
export const TimesheetSubmitterEnum = wordsEnum('TimesheetSubmitter', TIMESHEET_SUBMITTERS, 'Who submits timesheets.');
export const BenefitFrequencyEnum = wordsEnum('BenefitFrequency', BENEFIT_FREQUENCIES, 'How often a benefit is due.');
export const ExclusivityEnum = wordsEnum(
  'Exclusivity',
  EXCLUSIVITIES,
  'Whether the creator works for others in the same field.',
);
export const IpOwnershipEnum = wordsEnum('IpOwnership', IP_OWNERSHIPS, 'Who owns what is created.');
export const CreatorPlatformEnum = wordsEnum('CreatorPlatform', CREATOR_PLATFORMS, 'Where it is published.');
export const CreatorFormatEnum = wordsEnum('CreatorFormat', CREATOR_FORMATS, 'What kind of content it is.');
export const SigningSideEnum = wordsEnum('SigningSide', SIGNING_SIDES, 'Who signs.');
