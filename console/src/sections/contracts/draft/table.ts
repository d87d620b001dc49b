import {
  type COMPENSATION_TYPES,
  CONTRACT_DRAFT,
  type ContractType,
  type DraftField,
  type DraftFields,
} from '@payroll/kernel';

/** Not editable in this form: derived from another field, or only set through the API. */
const NOT_SHOWN: ReadonlySet<string> = new Set(['employmentType', 'externalReference', 'sortOrder', 'documentIds']);

function shown(fields: DraftFields): DraftFields {
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([name]) => !NOT_SHOWN.has(name))
      .map(([name, field]) => [name, shownInside(field)]),
  );
}

function shownInside(field: DraftField): DraftField {
  if (field.kind === 'object') return { ...field, fields: shown(field.fields) };
  return field.kind === 'list' ? { ...field, item: { ...field.item, fields: shown(field.item.fields) } } : field;
}

/** The form of a draft: the fields of the draft itself, from the kernel's table. */
export const DRAFT_FORM = shown(CONTRACT_DRAFT.fields);

/** The lists, whose rows have ids. */
export const LISTS = ['milestones', 'creatorDeliverables'] as const;
export type List = (typeof LISTS)[number];

export function itemOf(list: List): DraftFields {
  const field = DRAFT_FORM[list];
  return field?.kind === 'list' ? field.item.fields : {};
}

export type Values = Readonly<Record<string, string>>;

/** Whether a field is a section of its own. */
export const isPart = ({ kind }: DraftField): boolean => kind === 'object' || kind === 'list';

/** Whether a path, such as `milestones[0].title`, is that of a section or field, or leads into it. */
export const isIn = (section: string, path: string): boolean =>
  path === section || path.startsWith(`${section}.`) || path.startsWith(`${section}[`);

const EMPLOYEES: readonly ContractType[] = ['employment_at_will'];
const REGULAR: readonly ContractType[] = [...EMPLOYEES, 'contractor_fixed'];
const BY_TIMESHEET: readonly ContractType[] = ['contractor_fixed', 'contractor_payg'];
const CREATORS: readonly ContractType[] = ['contractor_creator'];

/** The kinds of contract that need a field or section; one that is not listed is for all of them. */
const NEEDED_BY: Readonly<Record<string, readonly ContractType[]>> = {
  countryOfEmployment: EMPLOYEES,
  employmentSubtype: EMPLOYEES,
  benefits: REGULAR,
  milestones: ['contractor_milestone'],
  creatorTerms: CREATORS,
  creatorDeliverables: CREATORS,
  'compensation.rate': BY_TIMESHEET,
  'compensation.annualSalary': EMPLOYEES,
  'compensation.salaryUnit': EMPLOYEES,
  'compensation.signingBonus': EMPLOYEES,
  'compensation.probationPeriodDays': EMPLOYEES,
  'compensation.paymentFrequency': REGULAR,
  'compensation.retainerAmount': ['contractor_fixed'],
  'invoicingSettings.paymentDueDays': BY_TIMESHEET,
  'invoicingSettings.firstPaymentMethod': REGULAR,
  'invoicingSettings.firstPaymentAmount': REGULAR,
  'invoicingSettings.firstPaymentDate': REGULAR,
  'invoicingSettings.timesheetSubmitter': BY_TIMESHEET,
  'invoicingSettings.timesheetApprovalRequired': BY_TIMESHEET,
  'invoicingSettings.autoApproveAfterDays': BY_TIMESHEET,
  'invoicingSettings.autoPayEnabled': BY_TIMESHEET,
};

export const isNeeded = (path: string, { contractType }: Values): boolean =>
  NEEDED_BY[path]?.some((kind) => kind === contractType) ?? true;

/** How a kind of contract is paid by default. A fixed rate may be by the hour or a retainer. */
export const PAID_BY: Readonly<Partial<Record<ContractType, (typeof COMPENSATION_TYPES)[number]>>> = {
  employment_at_will: 'salary',
  contractor_milestone: 'milestone',
  contractor_payg: 'hourly',
  contractor_creator: 'per_task',
};

/**
 * How another kind of contract is paid, where the way was that of the kind before; empty where a person has to say it. Undefined: it
 * stays as it is.
 */
export function paidAfter(seen: Values, typed: Values): string | undefined {
  const [before, kind] = [seen['contractType'], typed['contractType']] as (ContractType | undefined)[];
  const type = seen['compensation.type'];
  const isChosen = typed['compensation.type'] !== undefined && typed['compensation.type'] !== type;
  if (!type || isChosen || !before || !kind || kind === before || type !== PAID_BY[before]) return undefined;
  return PAID_BY[kind] ?? (type === 'hourly' ? type : '');
}

/** Whether the kind of contract says it already. Pay as you go is by the hour or by the task. */
export const isKnown = (path: string, { contractType = '', ...values }: Values): boolean =>
  path === 'compensation.type' &&
  contractType !== 'contractor_payg' &&
  values[path] === PAID_BY[contractType as ContractType];

/** The single fields outside of parts that are not folded away. */
const FIRST: ReadonlySet<string> = new Set([
  ...['title', 'contractType', 'countryOfEmployment', 'startDate', 'endDate', 'description'],
]);

const RARE_PAY = ['salaryUnit', 'signingBonus', 'probationPeriodDays', 'effectiveDate'].map(
  (name) => `compensation.${name}`,
);

/** The terms that few contracts have. */
export const isFurther = (path: string): boolean =>
  RARE_PAY.includes(path) || (/^\w+$/.test(path) && !isPart(DRAFT_FORM[path]!) && !FIRST.has(path));

/** How a value stands in a form. */
function toText(field: DraftField, value: unknown): string {
  if (value == null) return '';
  if (Array.isArray(value)) return value.join('\n');
  if (field.kind === 'flag') return value === true ? 'yes' : 'no';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The texts of a form by the names of its fields, such as `milestones[0].title`; the empty text for what is not given. */
export function valuesOf(fields: DraftFields, of: object, path = ''): Values {
  const given = of as Readonly<Record<string, unknown>>;
  const pairs = Object.entries(fields).map(([name, field]): Values => {
    const at = path === '' ? name : `${path}.${name}`;
    const value = given[name];
    if (field.kind === 'object') return valuesOf(field.fields, value ?? {}, at);
    if (field.kind !== 'list') return { [at]: toText(field, value) };
    const rows = (value ?? []) as object[];
    return Object.assign({}, ...rows.map((row, n) => valuesOf(field.item.fields, row, `${at}[${n}]`))) as Values;
  });
  return Object.assign({}, ...pairs) as Values;
}

const LABELS: Readonly<Record<string, string>> = {
  professionalEmail: 'Professional email address',
  description: 'What the work is',
  contractType: 'Kind of contract',
  startDate: 'First day',
  endDate: 'Last day',
  terminationDate: 'Ended on, if that is known',
  'compensation.type': 'Paid by',
  'compensation.probationPeriodDays': 'Days of probation',
  'compensation.effectiveDate': 'Pay holds from',
  'invoicingSettings.paymentMethod': 'Way of payment',
  'invoicingSettings.paymentDueDays': 'Days from the end of a period to its payment',
  'invoicingSettings.timesheetSubmitter': 'Who submits timesheets',
  'invoicingSettings.timesheetApprovalRequired': 'Timesheets need approval',
  'invoicingSettings.autoApproveAfterDays': 'Days until a submitted timesheet is approved automatically',
  'invoicingSettings.autoPayEnabled': 'Payments are made automatically when due',
  'benefits.timeOffDays': 'Days off per year',
  'creatorTerms.ipOwnership': 'Who owns the content',
  governingStateProvince: 'Governing state or province',
  noticePeriodDays: 'Days of notice',
  invoicingSettings: 'Invoices and payment',
  compensation: 'Pay',
  creatorTerms: 'Terms for content',
  creatorDeliverables: 'Deliverables',
};

/** Such as "Rate", or "Milestone 2: Amount" for `milestones[1].amount`. */
export function labelOf(path: string): string {
  const row = /^(\w+)\[(\d+)\]\.(\w+)$/.exec(path);
  if (row) return `${rowName(row[1]!, Number(row[2]))}: ${inWords(row[3]!)}`;
  return LABELS[path] ?? inWords(path.split('.').at(-1)!);
}

export function rowName(list: string, n?: number): string {
  const name = list === 'milestones' ? 'Milestone' : 'Deliverable';
  return n === undefined ? name : `${name} ${n + 1}`;
}

const ABBREVIATED: ReadonlySet<string> = new Set(['hr', 'it', 'vp']);

/** `countryOfEmployment`, `per_hour`, `hr` and `lv1` as people write them. */
export function inWords(name: string): string {
  if (ABBREVIATED.has(name)) return name.toUpperCase();
  const words = name
    .replace(/^lv(?=\d$)/, 'level ')
    .replaceAll('_', ' ')
    .replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}
