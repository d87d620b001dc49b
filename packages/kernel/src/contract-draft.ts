import type { CalendarDate } from './time.js';
import * as words from './words.js';

/** The values that a field of a draft accepts; validation, documentation and schemas are derived from it. */
export type DraftField = FieldInfo &
  (
    | { kind: 'text'; minLength: number; maxLength: number }
    | { kind: 'email' | 'day' | 'percentage' | 'texts' | 'ids' }
    | { kind: 'count'; minimum: 0 | 1; default?: number }
    | { kind: 'flag'; default: boolean }
    | { kind: 'word'; words: readonly string[] }
    | { kind: 'currency'; default: string }
    /** A decimal string in the currency of the draft. */
    | { kind: 'amount'; bound: { exclusiveMinimum: 0 } | { minimum: 0 } }
    | { kind: 'list'; item: ObjectField }
    | ObjectField
  );

interface FieldInfo {
  description: string;
  required?: true;
  /** null may be sent to `/v1`, too. Inside, every field that is not required may be null. */
  nullable?: true;
}

export interface ObjectField extends FieldInfo {
  kind: 'object';
  fields: DraftFields;
}

export type DraftFields = Readonly<Record<string, DraftField>>;

/** The value of an object of these fields. `Empty` is what stands for a field that was not given, beside its absence. */
export type DraftOf<Fields extends DraftFields, Empty = null | undefined> = {
  -readonly [Name in keyof Fields as Fields[Name] extends { required: true } ? Name : never]: ValueOf<
    Fields[Name],
    Empty
  >;
} & {
  -readonly [Name in keyof Fields as Fields[Name] extends { required: true } ? never : Name]?:
    | ValueOf<Fields[Name], Empty>
    | (Fields[Name] extends { nullable: true } ? null : never)
    | Empty;
};

type ValueOf<Field extends DraftField, Empty> = Values<Field, Empty>[Field['kind']];

interface Values<Field, Empty> {
  text: string;
  email: string;
  day: CalendarDate;
  count: number;
  flag: boolean;
  currency: string;
  amount: string;
  percentage: string;
  texts: string[];
  ids: string[];
  word: Field extends { words: readonly (infer Word)[] } ? Word : never;
  object: Field extends { fields: infer Fields extends DraftFields } ? DraftOf<Fields, Empty> : never;
  list: Field extends { item: { fields: infer Fields extends DraftFields } } ? DraftOf<Fields, Empty>[] : never;
}

// Makers of fields, so that a table of them reads as the table of the public contract.

const text = (description: string, minLength: number, maxLength = Number.POSITIVE_INFINITY) =>
  ({ kind: 'text', description, minLength, maxLength }) as const;

const plain = <const Kind extends 'email' | 'percentage' | 'texts' | 'ids'>(kind: Kind, description: string) =>
  ({ kind, description }) as const;

const day = (description: string) => ({ kind: 'day', description }) as const;

const count = (description: string, minimum: 0 | 1, byDefault: { default?: number } = {}) =>
  ({ kind: 'count', description, minimum, ...byDefault }) as const;

const word = <const Words extends readonly string[]>(description: string, words: Words) =>
  ({ kind: 'word', description, words }) as const;

const ABOVE_ZERO = { exclusiveMinimum: 0 } as const;

const amount = (description: string, bound: { exclusiveMinimum: 0 } | { minimum: 0 } = ABOVE_ZERO) =>
  ({ kind: 'amount', description, bound }) as const;

const object = <const Fields extends DraftFields>(description: string, fields: Fields) =>
  ({ kind: 'object', description, fields }) as const;

/** At most this many rows fit a form and an agreement; the page stays under 2 MB. */
export const MAX_ROWS = 500;

const list = <const Item extends ObjectField>(description: string, item: Item) =>
  ({ kind: 'list', description, item }) as const;

const required = <const Field extends DraftField>(field: Field) => ({ ...field, required: true }) as const;

const nullable = <const Field extends DraftField>(field: Field) => ({ ...field, nullable: true }) as const;

/** Defaults inside an object that was sent, and for the terms even if they were not sent. */
export const DRAFT_DEFAULTS = {
  currency: 'USD',
  paymentDueDays: 0,
  timesheetApprovalRequired: true,
  autoPayEnabled: true,
} as const;

const flag = (description: string, byDefault: boolean) => ({ kind: 'flag', description, default: byDefault }) as const;

const compensation = object('What the work is paid.', {
  type: required(word('What is paid for.', words.COMPENSATION_TYPES)),
  currency: {
    kind: 'currency',
    description: 'Of all amounts of the draft, those of milestones and deliverables too.',
    default: DRAFT_DEFAULTS.currency,
  },
  rate: amount('Per unit worked.'),
  annualSalary: amount('Per year.'),
  paymentFrequency: word('How often it is paid.', words.FREQUENCIES),
  retainerAmount: amount('Per period.'),
  salaryUnit: word('What the salary is quoted per.', words.SALARY_UNITS),
  signingBonus: amount('Paid once.', { minimum: 0 }),
  probationPeriodDays: count('Days of probation.', 0),
  effectiveDate: day('From when on this holds.'),
});

const invoicingSettings = object('How the work is invoiced, approved and paid.', {
  paymentMethod: word('By what way the worker is paid.', words.PAYMENT_METHODS),
  invoiceFrequency: word('How often is invoiced.', words.FREQUENCIES),
  cycleClosesOn: text('When a cycle closes, such as `last_day_of_month`.', 0),
  paymentDueDays: count('Days from the end of a period to the day its payment is due.', 0, {
    default: DRAFT_DEFAULTS.paymentDueDays,
  }),
  firstPaymentMethod: word('How much of the first period is paid.', words.FIRST_PAYMENT_METHODS),
  firstPaymentAmount: amount('What the first payment is.'),
  firstPaymentDate: day('When the first payment is.'),
  timesheetSubmitter: word('Who hands timesheets in.', words.TIMESHEET_SUBMITTERS),
  timesheetApprovalRequired: flag(
    'False: timesheets are approved as soon as they are submitted.',
    DRAFT_DEFAULTS.timesheetApprovalRequired,
  ),
  autoApproveAfterDays: count('Submitted timesheets are approved after so many days.', 1),
  autoPayEnabled: flag(
    'Whether payments are processed by themselves on the day they are due.',
    DRAFT_DEFAULTS.autoPayEnabled,
  ),
});

const benefits = object('What comes on top.', {
  bonusAmount: amount('Each time.'),
  bonusFrequency: word('How often the bonus is paid.', words.BENEFIT_FREQUENCIES),
  allowanceAmount: amount('Each time.'),
  allowanceFrequency: word('How often the allowance is paid.', words.BENEFIT_FREQUENCIES),
  commissionPercentage: plain('percentage', 'Percent.'),
  commissionFrequency: word('How often the commission is paid.', words.BENEFIT_FREQUENCIES),
  timeOffDays: count('Per year.', 0),
});

const price = required(amount('In the currency of the compensation, else USD.'));

const milestone = object(
  'A piece of work to be paid as a whole. It becomes a milestone in status `pending`, listed at once.',
  {
    title: required(text('What the milestone is called.', 1, 200)),
    description: text('What is to be done.', 0, 10_000),
    amount: price,
    dueDate: day('When it is to be done.'),
    sortOrder: count('Its place among the milestones; by default as sent.', 0),
    documentIds: plain('ids', 'Documents that belong to it.'),
  },
);

const creatorTerms = object('The terms of a creator contract.', {
  exclusivity: required(word('Whether the creator works for others in the same field.', words.EXCLUSIVITIES)),
  exclusivityEndDate: nullable(day('Last day of a `fixed_term` exclusivity.')),
  ipOwnership: required(word('Who owns what is created.', words.IP_OWNERSHIPS)),
  usageNote: nullable(text('How the content may be used.', 0, 2000)),
});

const deliverable = object('A piece of content that a creator delivers.', {
  platform: required(word('Where it is published.', words.CREATOR_PLATFORMS)),
  format: required(word('What kind of content it is.', words.CREATOR_FORMATS)),
  brief: required(text('What is to be made.', 1, 2000)),
  dueDate: nullable(day('When it is to be delivered.')),
  amount: price,
  sortOrder: count('Its place among the deliverables; by default as sent.', 0),
});

/** The payload of a draft, field by field (public-api.md §4). */
export const CONTRACT_DRAFT = object(
  'A contract to be completed, reviewed and signed in the application. Only `title` is required; properties that are not listed here are refused, at every depth.',
  {
    title: required(text('What the contract is called.', 1, 200)),
    professionalEmail: plain(
      'email',
      'The professional address of the worker. Nothing is mailed there: invitations go to the address of the worker who is chosen.',
    ),
    description: text('What the work is.', 0, 10_000),
    employmentType: word('By default what `contractType` says; without that, `contractor`.', words.EMPLOYMENT_TYPES),
    contractType: word(
      'Must agree with `employmentType`. By default `employment_at_will` for employees, else `contractor_fixed`.',
      words.CONTRACT_TYPES,
    ),
    countryOfEmployment: text('ISO 3166-1 alpha-2. Required for employee contracts.', 2, 2),
    startDate: day('First day of the contract.'),
    endDate: day('Last day of the contract.'),
    externalReference: text(
      'Your own reference: unique within workspace and integration principal, also after deletion.',
      1,
      128,
    ),
    terminationDate: day('Day on which the contract is ended, if that is known.'),
    noticePeriodDays: count('Days of notice on either side.', 0),
    department: word('Where in the business the work is done.', words.DEPARTMENTS),
    seniority: word('How senior the role is.', words.SENIORITIES),
    employmentSubtype: word('How much of a full week is worked.', words.EMPLOYMENT_SUBTYPES),
    specialClauses: text('What else is agreed.', 0, 20_000),
    serviceTypes: plain('texts', 'What services are rendered.'),
    skills: plain('texts', 'What skills are needed.'),
    tools: plain('texts', 'What tools are used.'),
    disputeResolutionMethod: word('Where disputes are settled.', words.DISPUTE_RESOLUTION_METHODS),
    governingCountry: text('ISO 3166-1 alpha-2: whose law holds.', 2, 2),
    governingStateProvince: text('The state or province whose law holds.', 0, 100),
    workSchedule: text('When the work is done.', 0),
    compensation,
    invoicingSettings,
    benefits,
    milestones: list('Work to be paid piece by piece.', milestone),
    creatorTerms,
    creatorDeliverables: list('What a creator delivers.', deliverable),
  },
);

/** A draft inside: amounts and percentages are decimal strings, and null says no more than leaving out. */
export type ContractDraft = DraftOf<(typeof CONTRACT_DRAFT)['fields']>;
