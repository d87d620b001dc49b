import 'reflect-metadata';
import {
  BENEFIT_FREQUENCIES,
  COMPENSATION_TYPES,
  CONTRACT_STATUSES,
  CONTRACT_TYPES,
  CREATOR_FORMATS,
  CREATOR_PLATFORMS,
  DEPARTMENTS,
  DISPUTE_RESOLUTION_METHODS,
  EMPLOYMENT_SUBTYPES,
  EMPLOYMENT_TYPES,
  EXCLUSIVITIES,
  FIRST_PAYMENT_METHODS,
  FREQUENCIES,
  IP_OWNERSHIPS,
  PAYMENT_METHODS,
  SALARY_UNITS,
  SENIORITIES,
  TIMESHEET_SUBMITTERS,
} from '@payroll/kernel';
import { registerEnumType } from 'type-graphql';
import { SIGNING_SIDES } from '../domain/contract.js';

const NAMED: readonly [name: string, words: readonly string[], description: string][] = [
  ['ContractStatus', CONTRACT_STATUSES, 'Where a contract is in its life.'],
  ['EmploymentType', EMPLOYMENT_TYPES, 'What the worker is to the business.'],
  ['ContractType', CONTRACT_TYPES, 'How the work is paid.'],
  ['Department', DEPARTMENTS, 'The department the work belongs to.'],
  ['Seniority', SENIORITIES, 'How experienced the worker is.'],
  ['EmploymentSubtype', EMPLOYMENT_SUBTYPES, 'How much of a working week it takes.'],
  ['DisputeResolutionMethod', DISPUTE_RESOLUTION_METHODS, 'Who decides a dispute.'],
  ['CompensationType', COMPENSATION_TYPES, 'What the compensation is reckoned by.'],
  ['Frequency', FREQUENCIES, 'How often.'],
  ['SalaryUnit', SALARY_UNITS, 'What a salary is told per.'],
  ['PaymentMethod', PAYMENT_METHODS, 'How the worker wants to be paid.'],
  ['FirstPaymentMethod', FIRST_PAYMENT_METHODS, 'Whether the first period is paid in full or by its days.'],
  ['TimesheetSubmitter', TIMESHEET_SUBMITTERS, 'Who submits timesheets.'],
  ['BenefitFrequency', BENEFIT_FREQUENCIES, 'How often a benefit is due.'],
  ['Exclusivity', EXCLUSIVITIES, 'Whether the creator works for others in the same field.'],
  ['IpOwnership', IP_OWNERSHIPS, 'Who owns what is created.'],
  ['CreatorPlatform', CREATOR_PLATFORMS, 'Where it is published.'],
  ['CreatorFormat', CREATOR_FORMATS, 'What kind of content it is.'],
  ['SigningSide', SIGNING_SIDES, 'Who signs.'],
];

const enums = new Map(
  NAMED.map(([name, words, description]) => {
    const values = Object.fromEntries(words.map((word) => [word, word]));
    registerEnumType(values, { name, description });
    return [words, values];
  }),
);

/** The enum of a closed list, whose GraphQL names are the stored words themselves. */
export function enumOf(words: readonly string[]): object {
  const values = enums.get(words);
  if (!values) throw new Error(`Name this list of words in the schema: ${words.join(', ')}`);
  return values;
}
