import fc from 'fast-check';
import { afterAll, it } from 'vitest';
import { MilestoneRun, type Step } from './milestone-run.js';
import { PAYMENT_EVENTS } from './model.js';
import { Review } from './review.js';

const review = await Review.open('review_milestone_model');
afterAll(() => review[Symbol.asyncDispose]());

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom('submit', 'resubmit') }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('update'), amount: fc.constantFrom('10.00', '20.50') }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom('approve', 'reject'), stale: fc.boolean() }) },
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('payment'), event: fc.nat({ max: PAYMENT_EVENTS.length - 1 }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('agreed again') }) },
);

it('milestones behave like the model under any sequence of steps', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40, size: 'max' }), async (steps) => {
      const at = review.workspace();
      const contractId = await at.contract();
      const [id] = await at.milestonesAgreed(contractId);
      const run = new MilestoneRun(review, at, contractId, id!);
      for (const taken of steps) {
        await run.take(taken);
        await run.compare();
      }
    }),
    { numRuns: 50 },
  );
});
