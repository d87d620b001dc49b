import { defineConfig } from 'vitest/config';
import { shared } from '../vitest.config.ts';

/** The tests that have to notice a mutant, as `bin/mutate.mjs` names them; each may need a Postgres and a NATS. */
export default defineConfig({
  ...shared,
  test: {
    include: process.env['MUTATION_TESTS']!.split(' '),
    exclude: ['**/{dist,node_modules}/**'],
    globalSetup: ['infra/test/global-setup.ts'],
    // A mutant that waits for what never comes is noticed by that: not too late, there are many.
    testTimeout: 15_000,
    hookTimeout: 20_000,
    expect: { poll: { timeout: 5_000 } },
  },
});
