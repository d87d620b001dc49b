import { expect, it } from 'vitest';
import { ask } from '@payroll/tools/demo/graphql-client';
import * as operation from '@payroll/tools/demo/operations';
import { internal, must, newIntegrator, once, refusal, workspaces } from './integrator.js';
import { activate, readyToPay, submittedWeek } from './steps.js';

const { v1 } = await newIntegrator();
const { v1: colleague } = await newIntegrator({ role: 'member' });

const eventually = { timeout: 20_000, interval: 50 };

/** The available balance in hundredths of the currency, which no other test uses. */
async function available(): Promise<bigint> {
  const balances = must(await v1.GET('/balances'));
  const francs = balances.available.find(({ currency }) => currency === 'CHF');
  return BigInt((francs?.amount ?? '0.00').replace('.', ''));
}

async function statusOfPayment(id: string) {
  return must(await v1.GET('/payments/{id}', { params: { path: { id } } })).status;
}

it('from draft to money: timesheets and milestones are reviewed and paid, and change the balances', async () => {
  expect(must(await v1.GET('/business')).id).toBe(workspaces[0]!.id);

  const draft = must(
    await colleague.POST('/contracts', {
      params: once(),
      body: {
        title: 'Alpine survey',
        employmentType: 'contractor',
        contractType: 'contractor_payg',
        startDate: '2026-01-01',
        externalReference: 'journey',
        compensation: { type: 'hourly', currency: 'CHF', rate: 92.75 },
        invoicingSettings: { paymentDueDays: 0, autoPayEnabled: true },
        milestones: [
          { title: 'Map', amount: 250.5, dueDate: '2026-03-31', sortOrder: 0 },
          { title: 'Report', amount: 1000, sortOrder: 1 },
        ],
      },
    }),
  );
  expect(draft).toMatchObject({ status: 'draft', title: 'Alpine survey', worker: { id: null, name: null } });
  const contract = { params: { path: { id: draft.id } } };

  const planned = must(await v1.GET('/contracts/{id}/milestones', contract)).data;
  expect(planned.map(({ title, status, amount }) => ({ title, status, amount }))).toEqual([
    { title: 'Map', status: 'pending', amount: { amount: '250.50', currency: 'CHF' } },
    { title: 'Report', status: 'pending', amount: { amount: '1000.00', currency: 'CHF' } },
  ]);

  const { workerId } = await activate(draft.id);
  const active = must(await v1.GET('/contracts/{id}', contract));
  expect(active).toMatchObject({ status: 'active', worker: { id: workerId }, creator: null });
  const before = await available();
  await readyToPay(workerId, 'CHF', '5000');
  expect(await available()).toBe(before + 500_000n);

  // The worker submits two weeks and a milestone.
  const [good, bad] = [await submittedWeek(draft.id, 0), await submittedWeek(draft.id, 1)];
  const map = planned.find(({ title }) => title === 'Map')!;
  await ask(internal(), operation.SUBMIT_MILESTONE, { id: map.id });
  const waiting = must(
    await v1.GET('/timesheets', { params: { query: { contractId: draft.id, status: 'submitted' } } }),
  ).data;
  expect(waiting.map(({ id }) => id).toSorted()).toEqual([good.id, bad.id].toSorted());

  // One week is correct, the other is not.
  const reviewed = waiting.find(({ id }) => id === good.id)!;
  expect(reviewed.total).toEqual({ amount: '927.50', currency: 'CHF' });
  const approve = { params: { path: { id: good.id }, ...once() }, body: { expectedVersion: reviewed.version } };
  expect(refusal(await colleague.POST('/timesheets/{id}/approve', approve))).toBe('403 INSUFFICIENT_SCOPE');
  const approved = must(await v1.POST('/timesheets/{id}/approve', approve));
  expect(approved).toMatchObject({ status: 'approved', paymentId: expect.any(String) });
  const sentBack = must(
    await v1.POST('/timesheets/{id}/reject', {
      params: { path: { id: bad.id }, ...once() },
      body: { expectedVersion: bad.version, reason: '  Half of it was a holiday ' },
    }),
  );
  expect(sentBack).toMatchObject({ status: 'rejected', paymentId: null });

  const delivered = must(await v1.GET('/milestones/{id}', { params: { path: { id: map.id } } }));
  expect(delivered).toMatchObject({ status: 'submitted', dueDate: '2026-03-31' });
  const accepted = must(
    await v1.POST('/milestones/{id}/approve', {
      params: { path: { id: map.id }, ...once() },
      body: { expectedVersion: delivered.version },
    }),
  );
  expect(accepted.paymentId).toEqual(expect.any(String));

  // Both were due at once.
  for (const id of [approved.paymentId!, accepted.paymentId!]) {
    await expect.poll(() => statusOfPayment(id), eventually).toBe('completed');
  }
  const payments = must(await v1.GET('/payments', { params: { query: { contractId: draft.id } } })).data;
  expect(
    payments.map(({ timesheetId, milestoneId, grossAmount }) => ({ timesheetId, milestoneId, grossAmount })),
  ).toEqual(
    expect.arrayContaining([
      { timesheetId: good.id, milestoneId: null, grossAmount: { amount: '927.50', currency: 'CHF' } },
      { timesheetId: null, milestoneId: map.id, grossAmount: { amount: '250.50', currency: 'CHF' } },
    ]),
  );
  expect(await available()).toBe(before + 500_000n - 92_750n - 25_050n);
  await expect
    .poll(async () => must(await v1.GET('/milestones/{id}', { params: { path: { id: map.id } } })).status, eventually)
    .toBe('paid');
});
