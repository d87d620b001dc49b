import { recordOf, isId, MAX_ROWS, notFound, type DraftFields } from '@payroll/kernel';
import { textOf, type SentForm } from '@payroll/pages';
import { graphql, type GraphqlOperation } from '../../../operations.js';
import { type Snapshot, shortened } from '../../../snapshot.js';
import type { WorkspaceContext } from '../../../workspace-context.js';
import type { Contract } from '../actions/operations.js';
import {
  DRAFT_FORM,
  isIn,
  itemOf,
  labelOf,
  type List,
  LISTS,
  paidAfter,
  rowName,
  type Values,
  valuesOf,
} from './table.js';

type Row = Record<string, unknown> & { id: string; place: number };

/** A draft as the graph has it. */
export interface Draft extends Omit<Contract, 'agreement' | 'details'> {
  creator: { terms: object | null } | null;
  /** The currencies of the newest contracts, newest first. */
  usualCurrencies: readonly string[];
  details: Record<string, unknown> & { milestones: Row[]; creatorDeliverables: Row[]; returnReason: string | null };
}

/** Not selected as details: the query reads these fields separately or in another form. */
const SELECTED_SEPARATELY: ReadonlySet<string> = new Set([
  ...['title', 'contractType', 'startDate', 'endDate', 'milestones', 'creatorTerms', 'creatorDeliverables'],
]);

function selected(fields: DraftFields, but: ReadonlySet<string> = new Set()): string {
  const named = Object.entries(fields).filter(([name]) => !but.has(name));
  return named
    .map(([name, field]) => (field.kind === 'object' ? `${name} { ${selected(field.fields)} }` : name))
    .join(' ');
}

const creatorTerms = DRAFT_FORM['creatorTerms']!;

interface Newest {
  nodes: readonly { details: { compensation: { currency: string | null } | null } }[];
}

/** Typed by hand: gql.tada cannot infer a selection that is computed from the kernel's table. */
const readDraft: GraphqlOperation<{ contract: Draft | null; newest: Newest }, { id: string }> = graphql(`
  query draftToComplete($id: ID!) {
    newest: contracts(limit: 20) { nodes { details { compensation { currency } } } }
    contract(id: $id) {
      id title status revision contractType startDate endDate deletedAt worker { id name } missing { path message }
      creator {
        terms { ${creatorTerms.kind === 'object' ? selected(creatorTerms.fields) : ''} }
      }
      details {
        returnReason ${selected(DRAFT_FORM, SELECTED_SEPARATELY)}
        milestones { id place ${selected(itemOf('milestones'))} }
        creatorDeliverables { id place ${selected(itemOf('creatorDeliverables'))} }
      }
    }
  }`);

export async function draftWith({ run }: WorkspaceContext, id: string): Promise<Draft> {
  const { contract, newest } = await run(readDraft, { id });
  if (contract === null) throw notFound('What this address names');
  return { ...contract, usualCurrencies: newest.nodes.flatMap(({ details }) => details.compensation?.currency ?? []) };
}

/** The content of a draft's form. */
export interface Content {
  /** The texts by the names of their fields, such as `milestones[0].title`. */
  values: Values;
  /** The ids of the rows of each list; empty for a new row. */
  rows: Readonly<Record<List, readonly string[]>>;
}

/** Rows stand in the order that the paths of problems count them by. */
export function contentOf({ details, creator, ...contract }: Draft): Content {
  const lists = recordOf(LISTS, (list) => details[list].toSorted((a, b) => a.place - b.place));
  const whole = { ...details, ...contract, creatorTerms: creator?.terms, ...lists };
  const values = Object.entries(valuesOf(DRAFT_FORM, whole)).map(([path, text]) => [path, asSent(text)]);
  const rows = recordOf(LISTS, (list) => lists[list].map(({ id }) => id));
  return { values: Object.fromEntries(values) as Values, rows };
}

/** Whether a field, or any field of a section, is filled in. */
export function isFilled(section: string, { values, rows }: Content): boolean {
  const hasRow = section in rows && rows[section as List].length > 0;
  return hasRow || Object.entries(values).some(([path, text]) => text !== '' && isIn(section, path));
}

/** A submitted form. Fields that were not sent are left out: they are unchanged. Rows are renumbered from zero. */
export function contentIn(form: SentForm): Content {
  const sent = new Set(Object.keys(form.body ?? {}));
  const numbers = recordOf(LISTS, (list) => numbersOf(list, sent));
  const pairs = pathsOf(DRAFT_FORM).flatMap((path) => (sent.has(path) ? [[path, asSent(textOf(form, path))]] : []));
  const ofRows = LISTS.flatMap((list) =>
    numbers[list].flatMap((number, n) =>
      Object.keys(itemOf(list)).flatMap((name) => {
        const path = `${list}[${number}].${name}`;
        return sent.has(path) ? [[`${list}[${n}].${name}`, asSent(textOf(form, path))]] : [];
      }),
    ),
  );
  const rows = recordOf(LISTS, (list) => idsOf(numbers[list].map((n) => textOf(form, `${list}[${n}].id`))));
  return { values: Object.fromEntries([...pairs, ...ofRows]) as Values, rows };
}

/**
 * A submitted form in which another kind of contract was chosen: the way of payment that followed from the former kind becomes that
 * of the new one.
 */
export function withItsPay(typed: Content, seen: Snapshot): Content {
  const type = paidAfter(seen, typed.values);
  return type === undefined ? typed : { ...typed, values: { ...typed.values, 'compensation.type': type } };
}

function pathsOf(fields: DraftFields, path = ''): string[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    if (field.kind === 'list') return [];
    return field.kind === 'object' ? pathsOf(field.fields, `${path}${name}.`) : [`${path}${name}`];
  });
}

function numbersOf(list: List, sent: ReadonlySet<string>): number[] {
  const found = [...sent].map((name) => ROW.exec(name)).filter((row) => row?.[1] === list);
  const numbers = [...new Set(found.map((row) => Number(row![2])))].toSorted((a, b) => a - b);
  // The draft refuses one row too many. More than that would only make the error page larger.
  return numbers.slice(0, MAX_ROWS + 1);
}

/** The second row with the same id becomes a new row. */
function idsOf(sent: readonly string[]): string[] {
  return sent.map((id, n) => (isId(id) && sent.indexOf(id) === n ? id : ''));
}

const ROW = /^(\w+)\[(\d{1,6})\]\.(\w+)$/;

/** Browsers send CRLF; white space around a text is invisible in the form. */
function asSent(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n').trim();
}

/** The texts by keys that do not depend on a row's position, such as `milestones.<id>.title`. Without new rows. */
export function byKey({ values, rows }: Content): Snapshot {
  const pairs = Object.entries(values).flatMap(([path, text]) => {
    const row = ROW.exec(path);
    if (!row) return [[path, text]];
    const id = rows[row[1] as List][Number(row[2])];
    return id ? [[[row[1], id, row[3]].join('.'), text]] : [];
  });
  return Object.fromEntries(pairs) as Snapshot;
}

/** The fields whose text differs from what the form showed when it was opened. */
export function changedIn(typed: Content, seen: Snapshot): Snapshot {
  const pairs = Object.entries(byKey(typed)).filter(([key, text]) => shortened(text) !== (seen[key] ?? ''));
  return Object.fromEntries(pairs);
}

/** The current draft with the editor's changes on top: neither side loses an edit, and the editor's text wins in their form. */
export function merged(now: Content, typed: Content, seen: Snapshot): Content {
  const changed = changedIn(typed, seen);
  const values: Record<string, string> = { ...now.values };
  const rows = recordOf(LISTS, (list) => [...now.rows[list]]);
  for (const key of Object.keys(changed)) {
    const path = pathOf(key, now);
    if (path !== null) values[path] = changed[key]!;
  }
  for (const list of LISTS) {
    typed.rows[list].forEach((id, n) => {
      const isChanged = Object.keys(itemOf(list)).some((name) => changed[`${list}.${id}.${name}`]);
      // A row that was edited here and removed by another person is kept as a new row: the editor decides about it.
      if (id !== '' && (rows[list].includes(id) || !isChanged)) return;
      const place = rows[list].push('') - 1;
      for (const name of Object.keys(itemOf(list))) {
        values[`${list}[${place}].${name}`] = typed.values[`${list}[${n}].${name}`] ?? '';
      }
    });
  }
  return { values, rows };
}

/** The field's path in the form; null when its row no longer exists. */
function pathOf(key: string, { rows }: Content): string | null {
  const [list = '', id = '', name = ''] = key.split('.');
  const place = LISTS.some((each) => each === list) ? rows[list as List].indexOf(id) : null;
  if (place === null) return key;
  return place === -1 ? null : `${list}[${place}].${name}`;
}

/** Translates a path of the submitted form into one of the form that is shown again. */
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

export function labelOfKey(key: string, now: Content): string {
  const path = pathOf(key, now);
  if (path !== null) return labelOf(path);
  const [list = '', , name = ''] = key.split('.');
  return `${rowName(list)} that was removed: ${labelOf(name)}`;
}
