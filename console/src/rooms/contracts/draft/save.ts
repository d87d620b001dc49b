import type { DomainError } from '@payroll/kernel';
import { textOf, type Problem, type SentForm } from '@payroll/pages';
import { contentOf, type Draft } from './operations.js';
import { readForm, type Read } from './read-form.js';
import { DRAFT_FORM, labelOf, valuesOf } from './table.js';

export interface Changes {
  input: object;
  read: Read;
}

/** What a form changes of the draft. What is empty is cleared; milestones that stay as they are are not agreed anew. */
export function changesOf(form: SentForm, draft: Draft): Changes {
  const read = readForm(form);
  const { milestones, ...whole } = read.given as { milestones?: Record<string, unknown>[] };
  const input: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(DRAFT_FORM)) {
    if (name !== 'milestones')
      input[name] = (whole as Record<string, unknown>)[name] ?? (field.kind === 'list' ? [] : null);
  }
  // It follows the kind of contract.
  if (input['contractType'] !== draft.contractType) input['employmentType'] = null;
  const known = contentOf(draft).milestones;
  const sent = (milestones ?? []).map((row, n) => ({
    id: textOf(form, `milestones[${read.rows['milestones']![n]}].id`),
    row,
  }));
  input['correctedMilestones'] = sent.flatMap(({ id, row }) => {
    const before = known.find((each) => each.id === id);
    return id === '' || (before && isSame(before, row)) ? [] : [{ id, ...cleared(row) }];
  });
  input['furtherMilestones'] = sent.flatMap(({ id, row }) => (id === '' ? [row] : []));
  return { input, read };
}

const ITEM = DRAFT_FORM['milestones']!;
const MILESTONE = ITEM.kind === 'list' ? ITEM.item.fields : {};

function isSame(before: object, row: object): boolean {
  return JSON.stringify(valuesOf(MILESTONE, before)) === JSON.stringify(valuesOf(MILESTONE, row));
}

function cleared(row: Record<string, unknown>): object {
  return Object.fromEntries(Object.keys(MILESTONE).map((name) => [name, row[name] ?? null]));
}

const WRONG: Readonly<Record<string, string>> = {
  required: 'This is needed',
  too_short: 'This is needed',
  too_long: 'This is too long',
  invalid_format: 'This cannot be read; look at how it is written',
  invalid_characters: 'This contains characters that are not allowed',
  out_of_range: 'This is too small or too large',
  before_start_date: 'This lies before the first day',
  types_disagree: 'This does not go with the rest of the contract',
};

/** By the names of the form's fields: rows that were left empty were not sent. */
export function problemsIn({ details = [] }: Pick<DomainError, 'details'>, { rows }: Pick<Read, 'rows'>): Problem[] {
  return details.map(({ path, code }) => {
    const field = path.replace(
      /^(\w+)\[(\d+)\]/,
      (_, list: string, n: string) => `${list}[${rows[list]?.[Number(n)] ?? n}]`,
    );
    return { field, message: `${labelOf(field)}: ${WRONG[code] ?? 'This cannot be kept'}` };
  });
}
