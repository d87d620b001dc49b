import { type DraftField, type DraftFields, type ErrorDetail, isCalendarDate, isDecimal } from '@payroll/kernel';
import type { Problem } from '@payroll/pages';
import { graphql, ONCE, SENT, type VariablesOf } from '../../../operations.js';
import type { Snapshot } from '../../../snapshot.js';
import { changedIn, type Content } from './content.js';
import { DRAFT_FORM, itemOf, labelOf, type List, LISTS } from './table.js';

export const updateDraft = graphql(`
  mutation updateContractDraft($id: ID!, $input: ContractDraftChangesInput!, $expectedRevision: Int, ${ONCE}) {
    draft: updateContractDraft(id: $id, input: $input, expectedRevision: $expectedRevision, ${SENT}) {
      missing { path }
    }
  }`);

/** A save contains only the changed fields. It follows from the form alone, so that a form sent twice is one operation. */
interface Save {
  input: VariablesOf<typeof updateDraft>['input'];
  /** By paths of the form: unreadable texts, and required fields that a new row lacks. */
  problems: ErrorDetail[];
}

export function saveOf(typed: Content, seen: Snapshot): Save {
  const changed = changedIn(typed, seen);
  const reader = new Reader();
  const fields = fieldsOf({ ...seen, ...typed.values }, changed, reader);
  // The type of employment follows the kind of contract.
  const types = 'contractType' in fields ? { employmentType: null } : {};
  const lists = LISTS.map((list) => listOf(list, typed, changed, reader));
  return { input: Object.assign(fields, types, ...lists) as Save['input'], problems: reader.problems };
}

interface Kind {
  isValid?: (text: string, field: DraftField) => boolean;
  /** The code of a text that is not valid. */
  wrong?: string;
  read?: (text: string) => unknown;
}

/** How texts are parsed. Of any other kind every text is valid; the service validates the value. */
const KINDS: Readonly<Partial<Record<DraftField['kind'], Kind>>> = {
  day: { isValid: isCalendarDate, wrong: 'no_day' },
  amount: { isValid: isDecimal, wrong: 'no_amount' },
  percentage: { isValid: isDecimal, wrong: 'no_amount' },
  count: { isValid: (text) => /^\d{1,9}$/.test(text), wrong: 'no_count', read: Number },
  flag: { isValid: (text) => text === 'yes' || text === 'no', read: (text) => text === 'yes' },
  word: { isValid: (text, field) => field.kind === 'word' && field.words.includes(text) },
  texts: { read: (text) => text.split('\n').flatMap((line) => line.trim() || []) },
};

/** Parses texts by the kinds of their fields and collects the unreadable ones. */
class Reader {
  readonly problems: ErrorDetail[] = [];

  read(field: DraftField, text: string, path: string): unknown {
    if (text === '') return null;
    const { isValid = () => true, wrong = 'invalid_format', read = String } = KINDS[field.kind] ?? {};
    if (isValid(text, field)) return read(text);
    this.problems.push({ path, code: wrong });
    return text;
  }

  readAll(fields: DraftFields, texts: Snapshot, path: string): Record<string, unknown> {
    const pairs = Object.entries(texts).map(([name, text]) => [
      name,
      this.read(fields[name]!, text, `${path}.${name}`),
    ]);
    return Object.fromEntries(pairs) as Record<string, unknown>;
  }
}

/** The changes outside lists. A part whose fields were all emptied is removed; those that the form did not show count too. */
function fieldsOf(values: Snapshot, changed: Snapshot, reader: Reader): Record<string, unknown> {
  const input: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(DRAFT_FORM)) {
    if (field.kind === 'object') {
      const texts = textsIn(changed, field.fields, `${name}.`);
      const isEmptied = isEmpty(textsIn(values, field.fields, `${name}.`), field.fields);
      if (Object.keys(texts).length > 0) input[name] = isEmptied ? null : reader.readAll(field.fields, texts, name);
    } else if (field.kind !== 'list' && changed[name] !== undefined) {
      input[name] = reader.read(field, changed[name], name);
    }
  }
  return input;
}

function listOf(list: List, typed: Content, changed: Snapshot, reader: Reader): object {
  const fields = itemOf(list);
  const rows = rowsOf(list, typed, changed);
  const [corrected, further, removed] = INPUTS[list];
  const corrections = rows.corrected.map(({ id, place, texts }) => ({
    id,
    ...reader.readAll(fields, texts, `${list}[${place}]`),
  }));
  const added = rows.further.map(({ place, texts }) => {
    const path = `${list}[${place}]`;
    const lacking = Object.keys(fields).filter((name) => fields[name]!.required && !texts[name]);
    reader.problems.push(...lacking.map((name) => ({ path: `${path}.${name}`, code: 'required' })));
    return reader.readAll(fields, texts, path);
  });
  return {
    ...(corrections.length > 0 && { [corrected]: corrections }),
    ...(added.length > 0 && { [further]: added }),
    ...(removed !== null && rows.removed.length > 0 && { [removed]: rows.removed }),
  };
}

/** Milestones cannot be removed: review keeps them. */
const INPUTS: Readonly<Record<List, readonly [corrected: string, further: string, removed: string | null]>> = {
  milestones: ['correctedMilestones', 'furtherMilestones', null],
  creatorDeliverables: ['correctedDeliverables', 'furtherDeliverables', 'removedDeliverables'],
};

/** An existing row that was emptied is removed; a new row that was left empty is ignored. */
function rowsOf(list: List, { values, rows }: Content, changed: Snapshot) {
  const fields = itemOf(list);
  const all = rows[list].map((id, place) => {
    const whole = textsIn(values, fields, `${list}[${place}].`);
    const texts = id === '' ? whole : textsIn(changed, fields, `${list}.${id}.`);
    return { id, place, texts, isEmpty: isEmpty(whole, fields), isTouched: Object.keys(texts).length > 0 };
  });
  const known = all.filter(({ id, isTouched }) => id !== '' && isTouched);
  return {
    further: all.filter((row) => row.id === '' && !row.isEmpty),
    corrected: known.filter((row) => !row.isEmpty),
    removed: known.filter((row) => row.isEmpty).map(({ id }) => id),
  };
}

/** The texts of an object by the names of its fields. */
function textsIn(texts: Snapshot, fields: DraftFields, prefix: string): Snapshot {
  return Object.fromEntries(
    Object.keys(fields).flatMap((name) => {
      const text = texts[`${prefix}${name}`];
      return text === undefined ? [] : [[name, text]];
    }),
  );
}

function isEmpty(texts: Snapshot, fields: DraftFields): boolean {
  return Object.keys(fields).every((name) => texts[name] === '');
}

const WRONG: Readonly<Record<string, string>> = {
  required: 'This is needed',
  too_short: 'This is needed',
  too_long: 'This is too long',
  no_amount: 'Enter a number such as 80.50',
  no_count: 'Enter a whole number',
  no_day: 'Enter a day that exists',
  invalid_format: 'This is not written as it has to be',
  invalid_characters: 'This contains characters that are not allowed',
  out_of_range: 'This is too small or too large',
  before_start_date: 'This lies before the first day',
  after_end_date: 'This lies after the last day',
  types_disagree: 'This does not go with the rest of the contract',
};

/** For texts that the service could not read. */
const EXAMPLES: Readonly<Record<string, string>> = {
  'compensation.currency': 'Enter a currency such as EUR',
  professionalEmail: 'Enter an email address such as ada@example.com',
};

export function problemsIn(details: readonly ErrorDetail[]): Problem[] {
  return details.map(({ path, code }) => {
    const example = code === 'invalid_format' ? EXAMPLES[path] : undefined;
    return { field: path, message: `${labelOf(path)}: ${example ?? WRONG[code] ?? 'This cannot be kept'}` };
  });
}

/** Translates paths from the service, which counts stored rows before new ones, into paths of the form. */
export function asInForm(details: readonly ErrorDetail[], typed: Content, seen: Snapshot, now: Content): ErrorDetail[] {
  const changed = changedIn(typed, seen);
  const kept = (list: List): number[] => {
    const { removed, further } = rowsOf(list, typed, changed);
    const gone = INPUTS[list][2] === null ? [] : removed;
    const known = now.rows[list].filter((id) => !gone.includes(id)).map((id) => typed.rows[list].indexOf(id));
    return [...known, ...further.map(({ place }) => place)];
  };
  return details.map(({ path, code }) => {
    const [, list, n, rest] = /^(milestones|creatorDeliverables)\[(\d+)\](.*)$/.exec(path) ?? [];
    const place = list === undefined ? -1 : (kept(list as List)[Number(n)] ?? -1);
    return { path: place === -1 ? path : `${list}[${place}]${rest}`, code };
  });
}
