import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '@payroll/infra/processes';
import { expect, it } from 'vitest';

/** A command runs while its file is still being evaluated: a constant below the call is not yet initialized. */
const CONSTANT_BELOW = /^await runMain\([^]*^(?:export )?(?:const|let|class) /m;

it('an entry point declares its constants above the call that runs the command', () => {
  const files = globSync(
    '{packages,services,gateway,rest-facade,mcp,console,sandbox-provider,infra,tools,lab}/**/*.ts',
    {
      cwd: repositoryRoot,
      exclude: ['**/node_modules/**', '**/dist/**', '**/*.test.ts'],
    },
  );
  const texts = files.map((file) => [file, readFileSync(join(repositoryRoot, file), 'utf8')] as const);
  expect(texts.filter(([, text]) => text.includes('\nawait runMain(')).length).toBeGreaterThan(5);
  expect(texts.filter(([, text]) => CONSTANT_BELOW.test(text)).map(([file]) => file)).toEqual([]);
  expect(CONSTANT_BELOW.test("await runMain('x', process, {});\n\nconst LATE = 1;\n")).toBe(true);
});
