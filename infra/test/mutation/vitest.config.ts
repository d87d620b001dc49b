import { defineConfig } from 'vitest/config';
import { shared } from '../vitest.config.ts';

/** The tests that have to notice a mutant, as `bin/mutate.mjs` names them; each may need a Postgres and a NATS. */
export default defineConfig({
  ...shared,
  test: {
    include: process.env['MUTATION_TESTS']!.split(' '),
    exclude: ['**/{dist,node_modules}/**'],
    globalSetup: ['infra/test/global-setup.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 15_000 } },
  },
});
