import { CONTRACT_DRAFT, type DraftField, type DraftFields } from '@payroll/kernel';

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

/** Whether a path, such as `milestones[0].title`, leads into a section. */
export const isIn = (section: string, path: string): boolean => /^\w+/.exec(path)?.[0] === section;

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
  professionalEmail: 'Professional e-mail address',
  description: 'What the work is',
  contractType: 'Kind of contract',
  startDate: 'First day',
  endDate: 'Last day',
  terminationDate: 'Ended on, if that is known',
  'compensation.type': 'Paid by',
  'compensation.probationPeriodDays': 'Days of probation',
  'compensation.effectiveDate': 'Holds from',
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
