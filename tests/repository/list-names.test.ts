import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

it('every list with cursors has a unique name, which its cursors contain', () => {
  const cwd = new URL('../../', import.meta.url).pathname;
  const files = globSync('{services,packages}/*/src/**/*.ts', {
    cwd,
    exclude: ['**/*.test.ts', 'packages/store/src/sql/lists.ts'],
  });
  const names = files.flatMap((file) => {
    const made = readFileSync(cwd + file, 'utf8').matchAll(
      /(?:new Keyset|defineView)\(\{\s*(?:list: (?:'([^']+)'|`([^`]+)`))?/g,
    );
    return [...made].map(([, fixed, ofService]) => fixed ?? ofService);
  });
  expect(names).toContain('timesheets');
  expect(names).not.toContain(undefined);
  expect(new Set(names).size).toBe(names.length);
});
