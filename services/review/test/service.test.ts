import { startTestNats } from '@payroll/tools/local/test-server';
import { newId } from '@payroll/kernel';
import { Bus, type DomainEvent } from '@payroll/commands';
import { createLog, Drain } from '@payroll/runtime';
import { startService } from '@payroll/service';
import { readGeneration } from '@payroll/store';
import { afterAll, expect, it } from 'vitest';
import { submitTimesheet } from '../src/commands/submit-timesheet.js';
import { reviewService } from '../src/service.js';
import { Review } from './review.js';

const stack = new AsyncDisposableStack();
const log = createLog('review', 'silent');

const nats = stack.use(await startTestNats());
const review = stack.use(await Review.open('review_service'));
const buses = {
  contracts: stack.use(new Bus({ url: nats.urls.contracts, name: 'contracts', log })),
  payments: stack.use(new Bus({ url: nats.urls.payments, name: 'payments', log })),
};
await Promise.all([buses.contracts.subscribed(), buses.payments.subscribed()]);
const deliver = async (as: 'contracts' | 'payments', event: DomainEvent): Promise<unknown> => {
  const generation = await readGeneration(review.em);
  return await buses[as].request(`events.${as}.review`, { ...event, generation }, 10_000);
};
stack.use(
  await startService(
    reviewService,
    {
      listenHost: '127.0.0.1',
      listenPort: 0,
      logLevel: 'silent',
      eventRetentionDays: 30,
      deployment: 'test',
      cell: null,
      database: { url: review.databaseUrl, poolSize: 10 },
      nats: { url: nats.urls.review },
      actorTokenKeys: [review.actorKey],
    },
    new Drain(),
  ),
);
afterAll(() => stack.disposeAsync());

it('applies events of contracts and payments, approves by rule and emits events for payments', async () => {
  const at = review.workspace();
  const contractId = newId();
  const agreed = at.agreed(contractId, [{}, {}]);
  // In any order, and more than once.
  expect(await deliver('contracts', agreed)).toBe('applied');
  expect(await deliver('contracts', at.terms({ contractId, timesheetApprovalRequired: false }))).toBe('applied');
  expect(await deliver('contracts', agreed)).toBe('applied');
  await expect.poll(() => at.rows('contract_terms'), { timeout: 10_000 }).toHaveLength(1);
  await expect.poll(() => at.rows('milestone'), { timeout: 10_000 }).toHaveLength(2);

  const work = { contractId, periodStart: '2027-03-01', periodEnd: '2027-03-07', unitsWorked: '10' };
  const { id } = await review.commands.run(submitTimesheet, work, at.application);
  const timesheet = async (): Promise<Record<string, unknown> | undefined> => (await at.rows('timesheet'))[0];
  await expect.poll(timesheet, { timeout: 10_000 }).toMatchObject({ id, status: 'approved' });
  expect(await at.eventsForPayments()).toMatchObject([{ type: 'timesheet.approved' }]);

  const paymentId = String((await timesheet())?.['payment_id']);
  const source = { sourceType: 'timesheet', sourceId: id, paymentId } as const;
  expect(await deliver('payments', at.payment(source, 'processing', 2))).toBe('applied');
  expect(await deliver('payments', at.payment(source, 'pending', 1))).toBe('applied');
  await expect.poll(timesheet, { timeout: 10_000 }).toMatchObject({ payment_status: 'processing' });
  expect(await timesheet()).toMatchObject({ payment_status: 'processing', payment_sequence: 2 });
});
