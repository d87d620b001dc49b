import fc from 'fast-check';
import { afterAll, it } from 'vitest';
import { PAYMENT_EVENTS } from './model.js';
import { Review } from './review.js';
import { TimesheetRun, type Step } from './timesheet-run.js';

const review = await Review.open('review_timesheet_model');
afterAll(() => review[Symbol.asyncDispose]());

const sheet = fc.nat({ max: 3 });
const day = fc.integer({ min: 1, max: 3 });
const units = fc.bigInt({ min: 1n, max: 50n });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('submit'), day, units }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('resubmit'), sheet, day, units }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constantFrom('approve', 'reject'), sheet, stale: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('terms'),
      revision: fc.integer({ min: 2, max: 9 }),
      cents: fc.constantFrom(5_000n, 5_025n, 9_999n),
      dueDays: fc.constantFrom(0, 14),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('payment'), sheet, event: fc.nat({ max: PAYMENT_EVENTS.length - 1 }) }),
  },
);

it('timesheets behave like the model under any sequence of steps', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40, size: 'max' }), async (steps) => {
      const at = review.workspace();
      const run = new TimesheetRun(review, at, await at.contract());
      for (const taken of steps) {
        await run.take(taken);
        await run.compare();
      }
    }),
    { numRuns: 50 },
  );
});
