import { expect, it } from 'vitest';
import { searchIn } from './workspace-context.js';

it('a search text is cut between characters, to the 200 that services accept', () => {
  const typed = `${'a'.repeat(199)}😀😀`;
  expect(searchIn({ query: () => ` ${typed} ` })).toBe(`${'a'.repeat(199)}😀`);
});
