import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { shared } from '../../tests/vitest.config.ts';

/** The first failing test detects a mutant, so run first the file that detected the last one, then the fastest. */
class LikeliestFirst extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const costOf = (file: TestSpecification): number => {
      const last = this.ctx.cache.getTestSpecificationResult(file);
      return last === undefined || last.failed ? 0 : last.duration;
    };
    return Promise.resolve(files.toSorted((one, other) => costOf(one) - costOf(other)));
  }
}

/** The tests that have to detect a mutant, as `main.ts` lists them; each may need a Postgres and a NATS. */
export default defineConfig({
  ...shared,
  test: {
    include: process.env['MUTATION_TESTS']!.split(' '),
    exclude: ['**/{dist,node_modules}/**'],
    globalSetup: ['tests/global-setup.ts'],
    sequence: { sequencer: LikeliestFirst },
    // A mutant that hangs is detected by these limits; keep them short, because there are many.
    testTimeout: 10_000,
    hookTimeout: 20_000,
    expect: { poll: { timeout: 5_000 } },
  },
});
