import { hash } from 'node:crypto';
import {
  CONTRACT_DRAFT,
  type CalendarDate,
  type DraftField,
  type ContractType,
  type DraftFields,
  type EmploymentType,
} from '@payroll/kernel';
import { LABELS, SECTIONS, WORDS } from './agreement-words.js';
import { currencyOf, inOrder, invoicingOf, type StoredDraft } from './draft.js';
import { TERMS_LABELS, termsOf, type ContractTerms } from './terms.js';

interface Agreed {
  title: string;
  employmentType: EmploymentType;
  contractType: ContractType;
  draft: StoredDraft;
}

/** The party that gives the work. */
export interface Business {
  name: string;
  /** ISO 3166-1 alpha-2. */
  country: string;
}

interface Parties {
  business: Business;
  id: string;
  workerId: string | null;
  workerName: string | null;
}

const COUNTRY_NAMES = new Intl.DisplayNames('en', { type: 'region' });

/** The SHA-256 of the text in UTF-8, in hexadecimal; parties sign this digest. */
export function digestOf(text: string): string {
  return hash('sha256', text, 'hex');
}

/**
 * The contract text that both sides read and sign. Indents values of several lines, so that no line of a value can
 * pass for a term.
 */
export function textOfAgreement(agreement: Agreed & Parties): string {
  const { draft, title, business, id, workerId, workerName, employmentType, contractType } = agreement;
  const worker =
    workerId === null ? 'a worker who is not named yet' : `${inOneLine(workerName ?? '')} (worker ${workerId})`;
  const { fields } = CONTRACT_DRAFT;
  const lists = {
    milestones: inOrder(draft.milestones),
    creatorDeliverables: draft.creatorDeliverables && inOrder(draft.creatorDeliverables),
  };
  const whole = { ...draft, invoicingSettings: paymentOf(draft), employmentType, contractType, ...lists };
  const currency = currencyOf(draft);
  const single = Object.fromEntries(Object.entries(fields).filter(([name]) => !(name in SECTIONS)));
  const sections = Object.entries(SECTIONS).flatMap(([name, heading]) => {
    const field = fields[name as keyof typeof SECTIONS];
    return section(heading, partsOf(field, whole[name as keyof typeof SECTIONS], name, currency));
  });
  return [
    `CONTRACT\n${inOneLine(title)}`,
    `Between ${inOneLine(business.name)} (${COUNTRY_NAMES.of(business.country) ?? business.country})\nand ${worker}.`,
    ...section('The work', [linesOf(single, whole, '', currency)]),
    ...sections,
    `Contract ${id}`,
  ].join('\n\n');
}

/** The defaults hold too where work is paid by timesheets, so the parties sign them. */
function paymentOf(draft: StoredDraft): StoredDraft['invoicingSettings'] {
  return draft.invoicingSettings || termsOf(draft).rate === null ? draft.invoicingSettings : invoicingOf(draft);
}

/** Terms that changed while the contract was active. */
interface Amendment {
  number: number;
  contract: { id: string; title: string; digest: string | null };
  /** Null for one that holds from the worker's signature. */
  holdsFrom: CalendarDate | null;
  before: ContractTerms;
  after: ContractTerms;
}

export function textOfAmendment({ number, contract, holdsFrom, before, after }: Amendment): string {
  const changed = Object.entries(TERMS_LABELS).flatMap(([name, label]) => {
    const [from, to] = [before, after].map((terms) => valueOfTerm(name as keyof typeof TERMS_LABELS, terms));
    return from === to ? [] : [`${label}: ${to} (until then ${from})`];
  });
  const text = contract.digest === null ? '' : `\nwhose text has the SHA-256 digest ${contract.digest}`;
  return [
    `AMENDMENT ${number}\nto the contract ${inOneLine(contract.title)} (${contract.id})${text}`,
    `Holds from ${holdsFrom ?? 'the day on which the worker signs it'} for all work that is not approved by then.`,
    changed.join('\n'),
  ].join('\n\n');
}

function valueOfTerm(name: keyof typeof TERMS_LABELS, terms: ContractTerms): string {
  const value = terms[name];
  if (value === null) return name === 'rate' ? 'none' : 'never';
  if (typeof value === 'boolean') return yesOrNo(value);
  return name === 'rate' ? `${value} ${terms.currency}` : String(value);
}

function section(heading: string, parts: readonly string[][]): string[] {
  const told = parts.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'));
  return told.length === 0 ? [] : [`${heading.toUpperCase()}\n${told.join('\n\n')}`];
}

/** The lines of an object, or of each item of a list. */
function partsOf(field: DraftField, value: unknown, path: string, currency: string): string[][] {
  if (value == null) return [];
  if (field.kind === 'object') return [linesOf(field.fields, value, path, currency)];
  if (field.kind !== 'list') return [];
  return (value as object[]).map((item, n) => {
    const [first = '', ...rest] = linesOf(field.item.fields, item, path, currency);
    return [`${n + 1}. ${first}`, ...rest.map((line) => `   ${line.replaceAll('\n', '\n   ')}`)];
  });
}

function linesOf(fields: DraftFields, values: object, path: string, currency: string): string[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const label = LABELS[path === '' ? name : `${path}.${name}`];
    const value = (values as Record<string, unknown>)[name];
    if (label === undefined || value == null || value === '' || (Array.isArray(value) && value.length === 0)) return [];
    return [`${label}: ${inWords(field, value, currency)}`];
  });
}

function inWords(field: DraftField, value: unknown, currency: string): string {
  switch (field.kind) {
    case 'amount':
      return `${String(value)} ${currency}`;
    case 'flag':
      return yesOrNo(value as boolean);
    case 'word':
      return WORDS[String(value)] ?? String(value).replaceAll('_', ' ');
    case 'texts':
      return (value as string[]).map(inOneLine).join(', ');
    case 'text':
      return String(value)
        .trim()
        .replaceAll(/\r\n?|[\n\v\f\u0085\u2028\u2029]/g, '\n    ');
    default:
      return inOneLine(String(value));
  }
}

const yesOrNo = (value: boolean): string => (value ? 'yes' : 'no');

function inOneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
