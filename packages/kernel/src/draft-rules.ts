import type { ErrorDetail } from './error.js';
import { isPositiveDecimal, Money } from './money.js';
import { isId } from './id.js';
import { isEmail, textProblem } from './text.js';
import { CONTRACT_TYPES, EMPLOYMENT_TYPE_OF, EMPLOYMENT_TYPES, type EmploymentType } from './words.js';
import {
  CONTRACT_DRAFT,
  DRAFT_DEFAULTS,
  type ContractDraft,
  type DraftField,
  type DraftFields,
  MAX_ROWS,
} from './contract-draft.js';

/** Every reason not to save a draft (public-api.md §4); the same for `/v1` and GraphQL. */
export function problemsOfDraft(draft: ContractDraft): ErrorDetail[] {
  const rules = draftRules(draft);
  // While the types disagree, it is unknown whether it is an employee's contract.
  const isOpen = rules.some(({ code }) => code === 'types_disagree');
  return [
    ...problemsIn(CONTRACT_DRAFT.fields, draft),
    ...tooManyRows(draft),
    ...rules.filter(({ code }) => !isOpen || code !== 'required'),
  ];
}

function tooManyRows(draft: ContractDraft): ErrorDetail[] {
  const lists = ['milestones', 'creatorDeliverables'] as const;
  return lists.filter((path) => (draft[path]?.length ?? 0) > MAX_ROWS).map((path) => ({ path, code: 'too_long' }));
}

/** Rules between the parts of a draft. Accepts any value: parts of another shape are skipped. */
export function draftRules(draft: unknown): ErrorDetail[] {
  const given = objectOf(draft) as Partial<ContractDraft>;
  const isEmployee = (given.employmentType ?? impliedBy(given.contractType)) === 'employee';
  return [
    ...(typesAgree(given) ? [] : [{ path: 'contractType', code: 'types_disagree' }]),
    ...(isEmployee && given.countryOfEmployment == null ? [{ path: 'countryOfEmployment', code: 'required' }] : []),
    ...amountsTooLong(draft),
  ];
}

export function typesAgree({ employmentType, contractType }: Partial<ContractDraft>): boolean {
  const implied = impliedBy(contractType);
  return implied === null || implied === employmentType || !EMPLOYMENT_TYPES.some((type) => type === employmentType);
}

function impliedBy(contractType: ContractDraft['contractType']): EmploymentType | null {
  const known = CONTRACT_TYPES.find((type) => type === contractType);
  return known ? EMPLOYMENT_TYPE_OF[known] : null;
}

/** Values outside the bounds of their fields. Absent values are not checked. */
export function problemsIn(fields: DraftFields, values: object): ErrorDetail[] {
  return valuesIn(fields, values).flatMap(({ path, field, value }) => {
    const code = problemOf(field, value);
    return code === null ? [] : [{ path, code }];
  });
}

/** The single values of an object with their paths. Parts of another shape than their field's are passed over. */
export function valuesIn(fields: DraftFields, values: unknown, path = ''): DraftValue[] {
  const given = objectOf(values);
  return Object.entries(fields).flatMap(([name, field]): DraftValue[] => {
    const at = path === '' ? name : `${path}.${name}`;
    const value = given[name];
    if (value == null) return [];
    if (field.kind === 'object') return valuesIn(field.fields, value, at);
    if (field.kind !== 'list') return [{ path: at, field, value }];
    if (!Array.isArray(value)) return [];
    return value.flatMap((item, index) => valuesIn(field.item.fields, item, `${at}[${index}]`));
  });
}

interface DraftValue {
  path: string;
  field: DraftField;
  value: unknown;
}

function problemOf(field: DraftField, value: unknown): string | null {
  if (typeof value === 'number') return field.kind === 'count' && value < field.minimum ? 'out_of_range' : null;
  if (Array.isArray(value)) {
    if (value.length > MAX_ROWS) return 'too_long';
    return value.map((each) => problemOfEach(field, each)).find((code) => code !== null) ?? null;
  }
  return typeof value === 'string' ? problemOfText(field, value) : null;
}

function problemOfEach({ kind }: DraftField, value: unknown): string | null {
  if (kind === 'ids') return isId(value) ? null : 'invalid_format';
  return typeof value === 'string' ? textProblem(value, 0, Number.POSITIVE_INFINITY) : null;
}

function problemOfText(field: DraftField, value: string): string | null {
  switch (field.kind) {
    case 'text':
      return textProblem(value, field.minLength, field.maxLength);
    case 'email':
      return isEmail(value) ? null : 'invalid_format';
    case 'day':
      // Year 0 is in ISO 8601's calendar, but not in Postgres'.
      return value.startsWith('0000') ? 'invalid_format' : null;
    case 'currency':
      return CURRENCY_FORM.test(value) ? null : 'invalid_format';
    case 'amount':
      return isPositiveDecimal(value) || ('minimum' in field.bound && !value.startsWith('-')) ? null : 'out_of_range';
    case 'percentage':
      return isPercentage(value) ? null : 'out_of_range';
    default:
      return null;
  }
}

function isPercentage(value: string): boolean {
  return !value.startsWith('-') && fits(value, 'USD') && Money.of(value, 'USD').compare(Money.of('100', 'USD')) <= 0;
}

/** An amount shows its currency's own digits: 39 digits are an amount of 39 characters, and in USD of 42. */
function amountsTooLong(draft: unknown): ErrorDetail[] {
  const currency = objectOf(objectOf(draft)['compensation'])['currency'] ?? DRAFT_DEFAULTS.currency;
  if (typeof currency !== 'string' || !CURRENCY_FORM.test(currency)) return [];
  return valuesIn(CONTRACT_DRAFT.fields, draft)
    .filter(({ field, value }) => field.kind === 'amount' && isPlainDecimal(value) && !fits(value, currency))
    .map(({ path }) => ({ path, code: 'too_long' }));
}

const CURRENCY_FORM = /^[A-Z]{3}$/;

/** Text that was sent where a number belongs is a matter of the shape, not of its size. */
function isPlainDecimal(value: unknown): value is string {
  return typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value);
}

function fits(amount: string, currency: string): boolean {
  try {
    Money.of(amount, currency);
    return true;
  } catch {
    return false;
  }
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return value !== null && typeof value === 'object' ? (value as Readonly<Record<string, unknown>>) : {};
}
