import { expect, it } from 'vitest';
import { changesSince, type Piece, seenOf } from './piece.js';

const piece = (facts: Record<string, string>): Piece => ({ facts }) as Partial<Piece> as Piece;

it('what was seen is compared with what is there, fact by fact', () => {
  const seen = seenOf(piece({ Rate: '50.00 EUR', Total: '500.00 EUR' }));
  expect(changesSince(seen, piece({ Rate: '50.00 EUR', Total: '600.00 EUR' }))).toEqual([
    { id: 'Total', seen: '500.00 EUR', now: '600.00 EUR' },
  ]);
});

it('of a long text so much is kept that a form stays small', () => {
  const long = 'x'.repeat(10_000);
  const seen = seenOf(piece({ Description: long }));
  expect(seen.length).toBeLessThan(600);
  expect(changesSince(seen, piece({ Description: long }))).toEqual([]);
  expect(changesSince(seen, piece({ Description: `${long}!` }))).toHaveLength(1);
});

it.each(['', 'null', '[]', '7', '{"Total":7}', '{"Other":"x"}'])(
  'what no form of ours carries changes nothing: %s',
  (seen) => {
    expect(changesSince(seen, piece({ Total: '1' })) ?? []).toEqual([]);
  },
);
