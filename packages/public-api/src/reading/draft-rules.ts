import {
  CONTRACT_TYPES,
  EMPLOYMENT_TYPE_OF,
  EMPLOYMENT_TYPES,
  Money,
  type EmploymentType,
  type ErrorDetail,
} from '@payroll/kernel';
import { below } from './path.js';

type Parts = Readonly<Record<string, unknown>>;

/** public-api.md §4: types must agree, employees have a country, and every amount fits the wire in its currency. */
export function draftRules(draft: unknown): ErrorDetail[] {
  const parts = partsOf(draft);
  return [...typesAgree(parts), ...employeesHaveACountry(parts), ...amountsFit(parts)];
}

function typesAgree({ employmentType, contractType }: Parts): ErrorDetail[] {
  const implied = impliedBy(contractType);
  const disagree = isEmploymentType(employmentType) && implied !== null && employmentType !== implied;
  return disagree ? [{ path: 'contractType', code: 'types_disagree' }] : [];
}

function employeesHaveACountry({ employmentType, contractType, countryOfEmployment }: Parts): ErrorDetail[] {
  const type = employmentType ?? impliedBy(contractType);
  return type === 'employee' && countryOfEmployment === undefined
    ? [{ path: 'countryOfEmployment', code: 'required' }]
    : [];
}

function impliedBy(contractType: unknown): EmploymentType | null {
  const known = CONTRACT_TYPES.find((type) => type === contractType);
  return known ? EMPLOYMENT_TYPE_OF[known] : null;
}

function isEmploymentType(value: unknown): boolean {
  return EMPLOYMENT_TYPES.some((type) => type === value);
}

/** An amount shows its currency's own digits: 39 digits are an amount of 39 characters, and in USD of 42. */
function amountsFit(draft: Parts): ErrorDetail[] {
  const { currency = 'USD' } = partsOf(draft['compensation']);
  if (typeof currency !== 'string' || !/^[A-Z]{3}$/.test(currency)) return [];
  return amountsOf(draft)
    .filter(([, amount]) => typeof amount === 'string' && isPlainDecimal(amount) && !fits(amount, currency))
    .map(([path]) => ({ path, code: 'too_long' }));
}

function amountsOf(draft: Parts): [path: string, amount: unknown][] {
  const within = (path: string, value: unknown, names: readonly string[]): [string, unknown][] =>
    names.map((name) => [below(path, name), partsOf(value)[name]]);
  const ofEach = (path: string): [string, unknown][] => {
    const list = draft[path];
    return Array.isArray(list) ? list.flatMap((item, index) => within(below(path, index), item, ['amount'])) : [];
  };
  return [
    ...within('compensation', draft['compensation'], ['rate', 'annualSalary', 'retainerAmount', 'signingBonus']),
    ...within('invoicingSettings', draft['invoicingSettings'], ['firstPaymentAmount']),
    ...within('benefits', draft['benefits'], ['bonusAmount', 'allowanceAmount']),
    ...ofEach('milestones'),
    ...ofEach('creatorDeliverables'),
  ];
}

function fits(amount: string, currency: string): boolean {
  try {
    Money.of(amount, currency);
    return true;
  } catch {
    return false;
  }
}

/** Text that was sent where a number belongs is a matter of the shape, not of its size. */
function isPlainDecimal(text: string): boolean {
  return /^-?\d+(\.\d+)?$/.test(text);
}

function partsOf(value: unknown): Parts {
  return value !== null && typeof value === 'object' ? (value as Parts) : {};
}
