import {
  type DraftField,
  type DraftFields,
  type ErrorDetail,
  isCalendarDate,
  isDecimal,
  MOST_ROWS,
} from '@payroll/kernel';
import { textOf, type SentForm } from '@payroll/pages';
import { DRAFT_FORM } from './table.js';

type Given = Record<string, unknown>;

/** What a form says, as the graph takes it; and what in it is no day, number or word at all. */
export interface Read {
  given: Given;
  /** By list, the places in the form of its rows that are not empty. */
  rows: Record<string, number[]>;
  problems: ErrorDetail[];
}

export function readForm(form: SentForm): Read {
  const read: Read = { given: {}, rows: {}, problems: [] };
  read.given = readFields(form, DRAFT_FORM, '', read) ?? {};
  return read;
}

/** How many rows of a list the form has: no more than a draft can have, whatever a form says. */
export function rowsIn(form: SentForm, list: string): number {
  const text = textOf(form, `rows.${list}`);
  return /^\d{1,4}$/.test(text) ? Math.min(Number(text), MOST_ROWS) : 0;
}

/** Null where nothing of it was filled in. */
function readFields(form: SentForm, fields: DraftFields, path: string, read: Read): Given | null {
  const problems: ErrorDetail[] = [];
  const given: Given = {};
  for (const [name, field] of Object.entries(fields)) {
    const at = path === '' ? name : `${path}.${name}`;
    const value = readField(form, field, at, read);
    if (value !== null) given[name] = value;
    else if (field.required) problems.push({ path: at, code: 'required' });
  }
  if (Object.keys(given).length === 0) return null;
  read.problems.push(...problems);
  return given;
}

function readField(form: SentForm, field: DraftField, path: string, read: Read): unknown {
  if (field.kind === 'object') return readFields(form, field.fields, path, read);
  if (field.kind === 'list') {
    const rows = Array.from({ length: rowsIn(form, path) }, (_, n) => ({
      n,
      row: readFields(form, field.item.fields, `${path}[${n}]`, read),
    })).filter(({ row }) => row !== null);
    read.rows[path] = rows.map(({ n }) => n);
    return rows.length === 0 ? null : rows.map(({ row }) => row);
  }
  const text = textOf(form, path).replaceAll('\r\n', '\n').trim();
  if (text === '') return null;
  if (isOfKind(field, text)) return valueOf(field, text);
  read.problems.push({ path, code: 'invalid_format' });
  return text;
}

/** Whether the graph can read it; what it may be is asked where it is kept. */
function isOfKind(field: DraftField, text: string): boolean {
  switch (field.kind) {
    case 'day':
      return isCalendarDate(text);
    case 'amount':
    case 'percentage':
      return isDecimal(text);
    case 'count':
      return /^\d{1,9}$/.test(text);
    case 'flag':
      return text === 'yes' || text === 'no';
    case 'word':
      return field.words.includes(text);
    default:
      return true;
  }
}

function valueOf(field: DraftField, text: string): unknown {
  switch (field.kind) {
    case 'count':
      return Number(text);
    case 'flag':
      return text === 'yes';
    case 'texts':
      return text
        .split('\n')
        .map((line) => line.trim())
        .filter(Boolean);
    default:
      return text;
  }
}
