import { expect, it } from 'vitest';
import { changesSince, type Seen, seenText } from './seen.js';

const formWith = (seen: string) => ({ body: { seen } });
const formOf = (seen: Seen) => formWith(seenText(seen));

it('what was seen is compared with what is there, by its name', () => {
  const form = formOf({ Rate: '50.00 EUR', Total: '500.00 EUR' });
  expect(changesSince(form, { Rate: '50.00 EUR', Total: '600.00 EUR' })).toEqual([
    { id: 'Total', seen: '500.00 EUR', now: '600.00 EUR' },
  ]);
});

it('of a long text so much is kept that a form stays small', () => {
  const long = 'x'.repeat(10_000);
  const form = formOf({ Description: long });
  expect(form.body.seen.length).toBeLessThan(600);
  expect(changesSince(form, { Description: long })).toEqual([]);
  expect(changesSince(form, { Description: `${long}!` })).toHaveLength(1);
});

it.each(['', 'null', '[]', '7', '"x"', '{"Total":7}', '{"Other":"x"}', '{'])(
  'what no form of ours carries was not seen: %s',
  (seen) => {
    expect(changesSince(formWith(seen), { Total: '1', length: '0' })).toEqual([]);
  },
);
