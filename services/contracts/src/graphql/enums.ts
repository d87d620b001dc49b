import * as kernel from '@payroll/kernel';
import { field } from '@payroll/service';
import { SIGNING_SIDES } from '../domain/contract.js';

const NAMED: readonly [name: string, words: readonly string[], description: string][] = [
  ['ContractStatus', kernel.CONTRACT_STATUSES, 'Where a contract is in its life.'],
  ['EmploymentType', kernel.EMPLOYMENT_TYPES, 'What the worker is to the business.'],
  ['ContractType', kernel.CONTRACT_TYPES, 'How the work is paid.'],
  ['Department', kernel.DEPARTMENTS, 'The department the work belongs to.'],
  ['Seniority', kernel.SENIORITIES, 'How experienced the worker is.'],
  ['EmploymentSubtype', kernel.EMPLOYMENT_SUBTYPES, 'How much of a working week it takes.'],
  ['DisputeResolutionMethod', kernel.DISPUTE_RESOLUTION_METHODS, 'Who decides a dispute.'],
  ['CompensationType', kernel.COMPENSATION_TYPES, 'What the compensation is reckoned by.'],
  ['Frequency', kernel.FREQUENCIES, 'How often.'],
  ['SalaryUnit', kernel.SALARY_UNITS, 'What a salary is told per.'],
  ['PaymentMethod', kernel.PAYMENT_METHODS, 'How the worker wants to be paid.'],
  ['FirstPaymentMethod', kernel.FIRST_PAYMENT_METHODS, 'Whether the first period is paid in full or by its days.'],
  ['TimesheetSubmitter', kernel.TIMESHEET_SUBMITTERS, 'Who submits timesheets.'],
  ['BenefitFrequency', kernel.BENEFIT_FREQUENCIES, 'How often a benefit is due.'],
  ['Exclusivity', kernel.EXCLUSIVITIES, 'Whether the creator works for others in the same field.'],
  ['IpOwnership', kernel.IP_OWNERSHIPS, 'Who owns what is created.'],
  ['CreatorPlatform', kernel.CREATOR_PLATFORMS, 'Where it is published.'],
  ['CreatorFormat', kernel.CREATOR_FORMATS, 'What kind of content it is.'],
  ['SigningSide', SIGNING_SIDES, 'Who signs.'],
];

const enums = new Map(NAMED.map(([name, words, description]) => [words, field.enumOf(name, words, description)]));

/** The enum of a closed list; its GraphQL names are the stored values. */
export function enumOf(words: readonly string[]): object {
  const values = enums.get(words);
  if (!values) throw new Error(`This list of values has no GraphQL enum; add one: ${words.join(', ')}`);
  return values;
}
