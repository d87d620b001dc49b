import fc from 'fast-check';
import { afterAll, expect, inject, it } from 'vitest';
import { action, Run } from './support/model-run.js';
import { Scene } from './support/scene.js';

const [RUNS, TIMEOUT_MS] = inject('isLongRun') ? [150, 3_600_000] : [8, 120_000];

const scene = await Scene.open('payments_model');
afterAll(() => scene[Symbol.asyncDispose]());

it(
  'payments, ledger and provider behave like the model under any sequence of steps',
  { timeout: TIMEOUT_MS },
  async () => {
    const property = fc.asyncProperty(
      fc.array(action, { minLength: 15, maxLength: 50, size: 'max' }),
      async (actions) => {
        const run = await Run.begin(scene);
        for (const one of actions) {
          await run.take(one);
          await run.compare();
        }
        // Passes all days, so that no payout stays in progress: one that fell due in the last round would have been
        // polled only once.
        for (let days = 0; days < 4; days += 1) await run.take({ do: 'day' });
        for (let rounds = 0; rounds < 3; rounds += 1) await run.round(2);
        await run.compare();
        expect(run.model.payments.filter(({ status }) => status === 'processing')).toEqual([]);
        await run.comparePaidOut();
      },
    );
    // A failure prints its seed and the shortest failing sequence.
    await fc.assert(property, { numRuns: RUNS });
  },
);
