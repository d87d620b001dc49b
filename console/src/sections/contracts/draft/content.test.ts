import type { DraftField, DraftFields } from '@payroll/kernel';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { changesSince, type Snapshot, seenIn, seenText } from '../../../snapshot.js';
import { byKey, changedIn, contentIn, type Content, merged } from './content.js';
import { saveOf } from './save.js';
import { DRAFT_FORM, itemOf, LISTS, valuesOf } from './table.js';

/** Texts of a field as the form compares them: with one kind of line break, and trimmed. */
function textsOf(field: DraftField): fc.Arbitrary<string> {
  switch (field.kind) {
    case 'day':
      return fc.constantFrom('', '2027-01-31', '2028-02-29');
    case 'word':
      return fc.constantFrom('', ...field.words);
    case 'flag':
      return fc.constantFrom('', 'yes', 'no');
    case 'count':
      return fc.constantFrom('', '0', '14');
    case 'amount':
    case 'percentage':
      return fc.constantFrom('', '0.10', '85.5');
    default:
      return fc.oneof(
        fc.string({ unit: fc.constantFrom('a', ' ', '\n', '"', '<', 'é') }).map((text) => text.trim()),
        fc.constantFrom('x'.repeat(700), `${'x'.repeat(699)}y`),
      );
  }
}

function recordOf(fields: DraftFields): fc.Arbitrary<Record<string, string>> {
  const flat = Object.entries(fields).flatMap(([name, field]): [string, fc.Arbitrary<string>][] => {
    if (field.kind === 'list') return [];
    if (field.kind !== 'object') return [[name, textsOf(field)]];
    return Object.entries(field.fields).map(([inner, each]) => [`${name}.${inner}`, textsOf(each)]);
  });
  return fc.record(Object.fromEntries(flat), { noNullPrototype: true });
}

const IDS = [1, 2, 3].map((n) => `0190a3f0-0000-7000-8000-00000000000${n}`);

/** Some of the possible rows, in order. */
const rowsOf = (list: (typeof LISTS)[number]): fc.Arbitrary<[string, Record<string, string>][]> =>
  fc.subarray(IDS).chain((ids) => fc.tuple(...ids.map((id) => fc.tuple(fc.constant(id), recordOf(itemOf(list))))));

const contents: fc.Arbitrary<Content> = fc
  .tuple(recordOf(DRAFT_FORM), rowsOf('milestones'), rowsOf('creatorDeliverables'))
  .map(([values, milestones, creatorDeliverables]) => {
    const lists = { milestones, creatorDeliverables };
    const inRows = LISTS.flatMap((list) =>
      lists[list].flatMap(([, row], n) =>
        Object.entries(row).map(([name, text]) => [`${list}[${n}].${name}`, text] as const),
      ),
    );
    return {
      values: { ...values, ...Object.fromEntries(inRows) },
      rows: { milestones: milestones.map(([id]) => id), creatorDeliverables: creatorDeliverables.map(([id]) => id) },
    };
  });

/** As a browser sends it. */
function formOf({ values, rows }: Content, seen: Snapshot): { body: Record<string, string> } {
  const ids = LISTS.flatMap((list) => rows[list].map((id, n) => [`${list}[${n}].id`, id] as const));
  const texts = Object.entries(values).map(([path, text]) => [path, text.replaceAll('\n', '\r\n')] as const);
  return { body: Object.fromEntries([...texts, ...ids, ['seen', seenText(seen)]]) };
}

it('a form that is submitted as rendered saves nothing', () => {
  fc.assert(
    fc.property(contents, (content) => {
      const form = formOf(content, byKey(content));
      expect(saveOf(contentIn(form), seenIn(form)!)).toEqual({ input: {}, problems: [] });
    }),
  );
});

it('a draft has a text for each field of the form, even if it lacks that part', () => {
  const empty = valuesOf(DRAFT_FORM, {});
  expect(empty['compensation.rate']).toBe('');
  expect(empty['creatorTerms.exclusivity']).toBe('');
});

it("of two people who change a draft, both keep their changes, and the second sees all of the first's", () => {
  fc.assert(
    fc.property(contents, contents, contents, fc.infiniteStream(fc.boolean()), (before, theirs, mine, coins) => {
      const toss = (): boolean => coins.next().value as boolean;
      const seen = byKey(before);
      // The second editor changes some fields of the draft they saw; the first may have changed anything, rows included.
      const values = Object.fromEntries(
        Object.entries(before.values).map(([path, text]) => [path, toss() ? (mine.values[path] ?? text) : text]),
      );
      const form = formOf({ ...before, values }, seen);
      const typed = contentIn(form);
      const changed = changedIn(typed, seenIn(form)!);
      const now = byKey(theirs);
      const again = merged(theirs, typed, seenIn(form)!);
      const kept = byKey(again);
      for (const key of Object.keys(now)) expect([key, kept[key]]).toEqual([key, changed[key] ?? now[key]]);
      // Text typed into a row that the first editor removed becomes a new row.
      const typedInto = LISTS.flatMap((list) =>
        before.rows[list].filter(
          (id) =>
            !theirs.rows[list].includes(id) &&
            Object.keys(itemOf(list)).some((name) => changed[`${list}.${id}.${name}`]),
        ),
      );
      expect(LISTS.flatMap((list) => again.rows[list].filter((id) => id === ''))).toHaveLength(typedInto.length);
      const differing = [...new Set([...Object.keys(seen), ...Object.keys(now)])].filter(
        (key) => (seen[key] ?? '') !== (now[key] ?? ''),
      );
      expect(changesSince(form, now).map(({ id }) => id)).toEqual(differing);
      // The second save contains the second editor's changes only.
      const next = formOf(again, now);
      const said = Object.keys(changedIn(contentIn(next), seenIn(next)!));
      expect(said.filter((key) => changed[key] === undefined)).toEqual([]);
    }),
  );
});

it('reports each changed part and nothing else', () => {
  const [first = '', second = ''] = IDS;
  const content: Content = {
    values: {
      ...valuesOf(DRAFT_FORM, { title: 'T', compensation: { type: 'hourly', rate: '5' } }),
      'creatorDeliverables[0].brief': 'a',
      'creatorDeliverables[0].amount': '1',
      'creatorDeliverables[1].brief': 'b',
      'milestones[0].title': 'm',
    },
    rows: { milestones: [first], creatorDeliverables: [first, second] },
  };
  const save = (values: Record<string, string>, rows = content.rows) =>
    saveOf(contentIn(formOf({ rows, values: { ...content.values, ...values } }, byKey(content))), byKey(content));
  expect(save({ title: 'New' }).input).toEqual({ title: 'New' });
  expect(save({ 'compensation.rate': '6' }).input).toEqual({ compensation: { rate: '6' } });
  expect(save({ 'compensation.rate': '', 'compensation.type': '' }).input).toEqual({ compensation: null });
  expect(save({ contractType: 'contractor_payg' }).input).toEqual({
    contractType: 'contractor_payg',
    employmentType: null,
  });
  expect(save({ 'creatorDeliverables[1].brief': 'c' }).input).toEqual({
    correctedDeliverables: [{ id: second, brief: 'c' }],
  });
  const emptied = Object.fromEntries(Object.keys(itemOf('creatorDeliverables')).map((name) => [name, '']));
  const removed = Object.entries(emptied).map(([name]) => [`creatorDeliverables[0].${name}`, '']);
  expect(save(Object.fromEntries(removed) as Record<string, string>).input).toEqual({
    removedDeliverables: [first],
  });
  const further = save(
    { 'milestones[1].title': 'more', 'milestones[1].amount': 'much' },
    { ...content.rows, milestones: [first, ''] },
  );
  expect(further.problems).toEqual([{ path: 'milestones[1].amount', code: 'no_amount' }]);
  expect(further.input).toEqual({ furtherMilestones: [{ title: 'more', amount: 'much' }] });
});

it('a form keeps at most one row more than a draft may have, so the draft refuses it and pages stay small', () => {
  const body = Object.fromEntries(Array.from({ length: 9_999 }, (_, n) => [`milestones[${n}].title`, 'm']));
  const { rows, values } = contentIn({ body });
  expect([rows.milestones.length, Object.keys(values).length]).toEqual([501, 501]);
});
