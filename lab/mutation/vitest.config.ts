import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { shared } from '../../tests/vitest.config.ts';

/** The first test that notices is enough: what noticed the mutant before, then what takes least. */
class LikeliestFirst extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const costOf = (file: TestSpecification): number => {
      const last = this.ctx.cache.getTestSpecificationResult(file);
      return last === undefined || last.failed ? 0 : last.duration;
    };
    return Promise.resolve(files.toSorted((one, other) => costOf(one) - costOf(other)));
  }
}

/** The tests that have to notice a mutant, as `bin/mutate.mjs` names them; each may need a Postgres and a NATS. */
export default defineConfig({
  ...shared,
  test: {
    include: process.env['MUTATION_TESTS']!.split(' '),
    exclude: ['**/{dist,node_modules}/**'],
    globalSetup: ['tests/global-setup.ts'],
    sequence: { sequencer: LikeliestFirst },
    // A mutant that waits for what never comes is noticed by that: not too late, there are many.
    testTimeout: 10_000,
    hookTimeout: 20_000,
    expect: { poll: { timeout: 5_000 } },
  },
});
