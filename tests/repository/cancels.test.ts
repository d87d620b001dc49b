import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '@payroll/infra/processes';
import { expect, it } from 'vitest';

const CANCELS = /pg_cancel_backend|cancel_?request|\bclient\.cancel\(/i;

it('nothing cancels a statement: a commit that waits for a standby would be answered as a success', () => {
  const files = globSync(
    '{packages,services,gateway,rest-facade,mcp,console,infra,tools}/**/*.{ts,tsx,mjs,sh,sql,yml}',
    {
      cwd: repositoryRoot,
      exclude: ['**/node_modules/**', '**/dist/**', '**/*.test.ts'],
    },
  );
  expect(files.length).toBeGreaterThan(500);
  expect(files.filter((file) => CANCELS.test(readFileSync(join(repositoryRoot, file), 'utf8')))).toEqual([]);
  for (const planted of ['select pg_cancel_backend(1)', 'client.cancel(other, query)', 'cancelRequest(pid)']) {
    expect(CANCELS.test(planted)).toBe(true);
  }
});
