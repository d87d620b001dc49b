import { expect, it } from 'vitest';
import { changesSince, type Snapshot, seenText } from './snapshot.js';

const formWith = (seen: string) => ({ body: { seen } });
const formOf = (seen: Snapshot) => formWith(seenText(seen));

it('compares the values that were seen with the current ones, by label', () => {
  const form = formOf({ Rate: '50.00 EUR', Total: '500.00 EUR' });
  expect(changesSince(form, { Rate: '50.00 EUR', Total: '600.00 EUR' })).toEqual([
    { id: 'Total', seen: '500.00 EUR', now: '600.00 EUR' },
  ]);
});

it('truncates long values, so that a form stays small', () => {
  const long = 'x'.repeat(10_000);
  const form = formOf({ Description: long });
  expect(form.body.seen.length).toBeLessThan(600);
  expect(changesSince(form, { Description: long })).toEqual([]);
  for (const other of [`${long}!`, `${'x'.repeat(9_999)}y`]) {
    expect(changesSince(form, { Description: other })).toHaveLength(1);
  }
});

it('values that were added or removed count as changes', () => {
  const form = formOf({ Rate: '', Total: '5', Note: '' });
  expect(changesSince(form, { Rate: '9', Note: '', Added: 'a' })).toEqual([
    { id: 'Rate', seen: '', now: '9' },
    { id: 'Total', seen: '5', now: '' },
    { id: 'Added', seen: '', now: 'a' },
  ]);
});

it.each(['', 'null', '[]', '7', '"x"', '{"Total":7}', '{'])(
  'a `seen` field that no form of ours sends is ignored: %s',
  (seen) => {
    expect(changesSince(formWith(seen), { Total: '1', length: '0' })).toEqual([]);
  },
);

it.each(['__proto__', 'constructor'])('a value that no page has, named %s, is one that was removed', (name) => {
  const form = formWith(`{"${name}":"x"}`);
  expect(changesSince(form, {})).toEqual([{ id: name, seen: 'x', now: '' }]);
});
