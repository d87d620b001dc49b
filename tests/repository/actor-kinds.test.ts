import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const root = new URL('../../', import.meta.url).pathname;
const sources = globSync('{packages,services}/*/src/**/*.{ts,tsx}', { cwd: root })
  .concat(globSync('{console,gateway,mcp,rest-facade}/src/**/*.{ts,tsx}', { cwd: root }))
  .filter((file) => !file.endsWith('.test.ts'));

// A comparison is silent about the kinds that it does not name: a new kind would get the rights of all others.
it('kinds of actors are distinguished by exhaustive switches, never by comparison', () => {
  expect(sources.length).toBeGreaterThan(300);
  const compared = /\bactor(?:\??\.k|K)ind\s*[!=]==?|[!=]==?\s*(?:\w+\.)*actor(?:\??\.k|K)ind\b/;
  expect(sources.filter((file) => compared.test(readFileSync(root + file, 'utf8')))).toEqual([]);
});
