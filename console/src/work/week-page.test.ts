import { expect, it } from 'vitest';
import { weekIn } from './week-page.js';

it.each([
  ['2026-03-05', '2026-03-02'],
  ['2026-02-30', '2026-03-09'],
  ['9999-12-31', '2026-03-09'],
  ['0001-01-01', '2026-03-09'],
  [undefined, '2026-03-09'],
])('for %s in the address the week from %s is shown', (asked, monday) => {
  expect(weekIn(asked, '2026-03-11')).toBe(monday);
});
