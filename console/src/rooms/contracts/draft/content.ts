import { byName, isId, MOST_ROWS, type DraftFields } from '@payroll/kernel';
import { textOf, type SentForm } from '@payroll/pages';
import { type Seen, shortened } from '../../../seen.js';
import type { Draft } from './operations.js';
import { DRAFT_FORM, itemOf, labelOf, type List, LISTS, rowName, type Values, valuesOf } from './table.js';

/** What the form of a draft says. */
export interface Content {
  /** The texts by the names of their fields, such as `milestones[0].title`. */
  values: Values;
  /** The ids of the rows of each list; empty for a new row. */
  rows: Readonly<Record<List, readonly string[]>>;
}

/** Rows stand in the order that the paths of problems count them by. */
export function contentOf({ details, creator, ...contract }: Draft): Content {
  const lists = byName(LISTS, (list) => details[list].toSorted((a, b) => a.place - b.place));
  const whole = { ...details, ...contract, creatorTerms: creator?.terms, ...lists };
  const values = Object.entries(valuesOf(DRAFT_FORM, whole)).map(([path, text]) => [path, asSent(text)]);
  const rows = byName(LISTS, (list) => lists[list].map(({ id }) => id));
  return { values: Object.fromEntries(values) as Values, rows };
}

/** What was not sent is not in it: nobody has changed that. There are as many rows as were sent, whatever their numbers. */
export function contentIn(form: SentForm): Content {
  const sent = new Set(Object.keys(form.body ?? {}));
  const numbers = byName(LISTS, (list) => numbersOf(list, sent));
  const pairs = pathsOf(DRAFT_FORM).flatMap((path) => (sent.has(path) ? [[path, asSent(textOf(form, path))]] : []));
  const ofRows = LISTS.flatMap((list) =>
    numbers[list].flatMap((number, n) =>
      Object.keys(itemOf(list)).flatMap((name) => {
        const path = `${list}[${number}].${name}`;
        return sent.has(path) ? [[`${list}[${n}].${name}`, asSent(textOf(form, path))]] : [];
      }),
    ),
  );
  const rows = byName(LISTS, (list) => idsOf(numbers[list].map((n) => textOf(form, `${list}[${n}].id`))));
  return { values: Object.fromEntries([...pairs, ...ofRows]) as Values, rows };
}

function pathsOf(fields: DraftFields, path = ''): string[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    if (field.kind === 'list') return [];
    return field.kind === 'object' ? pathsOf(field.fields, `${path}${name}.`) : [`${path}${name}`];
  });
}

/** No more than one too many: the draft refuses it, and each row of the page that is drawn again is far larger than its name. */
function numbersOf(list: List, sent: ReadonlySet<string>): number[] {
  const found = [...sent].map((name) => ROW.exec(name)).filter((row) => row?.[1] === list);
  return [...new Set(found.map((row) => Number(row![2])))].toSorted((a, b) => a - b).slice(0, MOST_ROWS + 1);
}

/** An id that stands twice is none the second time. */
function idsOf(sent: readonly string[]): string[] {
  return sent.map((id, n) => (isId(id) && sent.indexOf(id) === n ? id : ''));
}

const ROW = /^(\w+)\[(\d{1,6})\]\.(\w+)$/;

/** Browsers write line breaks in their own way; what surrounds a text is not seen. */
function asSent(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n').trim();
}

/** The texts by what they are of, wherever their row stands: `milestones.<id>.title`. New rows are not among them. */
export function byKey({ values, rows }: Content): Seen {
  const pairs = Object.entries(values).flatMap(([path, text]) => {
    const row = ROW.exec(path);
    if (!row) return [[path, text]];
    const id = rows[row[1] as List][Number(row[2])];
    return id ? [[[row[1], id, row[3]].join('.'), text]] : [];
  });
  return Object.fromEntries(pairs) as Seen;
}

/** What somebody has changed in a form that was drawn with what they saw. */
export function changedIn(typed: Content, seen: Seen): Seen {
  const pairs = Object.entries(byKey(typed)).filter(([key, text]) => shortened(text) !== (seen[key] ?? ''));
  return Object.fromEntries(pairs);
}

/** What there is now, with what somebody has changed: nothing of either is lost, and what they typed wins in their form. */
export function merged(now: Content, typed: Content, seen: Seen): Content {
  const changed = changedIn(typed, seen);
  const values: Record<string, string> = { ...now.values };
  const rows = byName(LISTS, (list) => [...now.rows[list]]);
  for (const key of Object.keys(changed)) {
    const path = pathOf(key, now);
    if (path !== null) values[path] = changed[key]!;
  }
  for (const list of LISTS) {
    typed.rows[list].forEach((id, n) => {
      const isChanged = Object.keys(itemOf(list)).some((name) => changed[`${list}.${id}.${name}`]);
      // Somebody has removed a row that was typed into: it is a new one, for whoever typed to decide about.
      if (id !== '' && (rows[list].includes(id) || !isChanged)) return;
      const place = rows[list].push('') - 1;
      for (const name of Object.keys(itemOf(list))) {
        values[`${list}[${place}].${name}`] = typed.values[`${list}[${n}].${name}`] ?? '';
      }
    });
  }
  return { values, rows };
}

/** Where it stands; null where there is no such row. */
function pathOf(key: string, { rows }: Content): string | null {
  const [list = '', id = '', name = ''] = key.split('.');
  const place = LISTS.some((each) => each === list) ? rows[list as List].indexOf(id) : null;
  if (place === null) return key;
  return place === -1 ? null : `${list}[${place}].${name}`;
}

/** A path of what was sent, as the path in the form that is drawn again. */
export function pathAgain(path: string, typed: Content, again: Content): string {
  const row = ROW.exec(path);
  if (!row) return path;
  const [, list, n, name] = row as unknown as [string, List, string, string];
  const id = typed.rows[list][Number(n)] ?? '';
  const isNew = (each: string): boolean => each === '';
  const newBefore = typed.rows[list].slice(0, Number(n)).filter(isNew).length;
  const news = again.rows[list].flatMap((each, at) => (isNew(each) ? [at] : []));
  const place = id === '' ? news[newBefore] : again.rows[list].indexOf(id);
  return `${list}[${place ?? n}].${name}`;
}

/** How people read a key. */
export function labelOfKey(key: string, now: Content): string {
  const path = pathOf(key, now);
  if (path !== null) return labelOf(path);
  const [list = '', , name = ''] = key.split('.');
  return `${rowName(list)} that was removed: ${labelOf(name)}`;
}
