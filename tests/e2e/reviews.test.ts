import { expect, it } from 'vitest';
import type { Submitted } from '@payroll/tools/demo/steps';
import { allPages, must, newIntegrator, once, refusal } from './integrator.js';
import { activeHourly, submittedMilestones, submittedWeek } from './steps.js';

const { v1 } = await newIntegrator();

const contractId = await activeHourly();
const weeks: Submitted[] = [];
for (const n of [0, 1, 2, 3]) weeks.push(await submittedWeek(contractId, n));
const milestones = await submittedMilestones(3);

const timesheet = (id: string) => ({ params: { path: { id } } });

it('a timesheet contains everything that a reviewer decides on', async () => {
  const { id, version } = weeks[0]!;
  expect(must(await v1.GET('/timesheets/{id}', timesheet(id)))).toMatchObject({
    id,
    contractId,
    version,
    status: 'submitted',
    periodStart: '2026-01-05',
    periodEnd: '2026-01-11',
    rate: { amount: '40.00', currency: 'EUR' },
    total: { amount: '400.00', currency: 'EUR' },
    paymentScheduledDate: '2026-02-10',
    autoPayEnabled: false,
    paymentId: null,
  });
});

it('an approval changes version and updatedAt, names its payment and leaves the submitted list', async () => {
  const { id, version } = weeks[0]!;
  const request = { params: { path: { id }, ...once() }, body: { expectedVersion: version } };
  const approved = must(await v1.POST('/timesheets/{id}/approve', request));
  expect(approved.status).toBe('approved');
  expect(approved.version).not.toBe(version);
  const payment = must(await v1.GET('/payments/{id}', { params: { path: { id: approved.paymentId! } } }));
  expect(payment).toMatchObject({
    timesheetId: id,
    contractId,
    milestoneId: null,
    status: 'pending',
    scheduledDate: '2026-02-10',
    grossAmount: { amount: '400.00', currency: 'EUR' },
    netAmount: { amount: '400.00', currency: 'EUR' },
    processedAt: null,
    completedAt: null,
    failureReason: null,
  });
  const waiting = must(await v1.GET('/timesheets', { params: { query: { contractId, status: 'submitted' } } })).data;
  expect(waiting.map((each) => each.id)).not.toContain(id);
});

it('the same approval with other JSON whitespace is replayed', async () => {
  const { id, version } = weeks[1]!;
  const write = once();
  const request = { params: { path: { id }, ...write }, body: { expectedVersion: version } };
  const first = await v1.POST('/timesheets/{id}/approve', request);
  const spaced = { bodySerializer: (body: unknown) => JSON.stringify(body, null, 2) };
  const again = await v1.POST('/timesheets/{id}/approve', { ...request, ...spaced });
  expect(again.data).toEqual(must(first));
  expect(first.response.headers.get('idempotency-replayed')).toBeNull();
  expect(again.response.headers.get('idempotency-replayed')).toBe('true');
  expect(must(await v1.GET('/payments', { params: { query: { contractId } } })).data.length).toBe(2);
});

it('a rejection makes no payment, and decided work cannot be decided again', async () => {
  const { id, version } = weeks[2]!;
  const reject = (expectedVersion: string) => ({
    params: { path: { id }, ...once() },
    body: { expectedVersion, reason: 'The hours are those of another project' },
  });
  const rejected = must(await v1.POST('/timesheets/{id}/reject', reject(version)));
  expect(rejected).toMatchObject({ status: 'rejected', paymentId: null });
  expect(refusal(await v1.POST('/timesheets/{id}/reject', reject(version)))).toBe('409 STALE_RESOURCE_VERSION');
  expect(refusal(await v1.POST('/timesheets/{id}/reject', reject(rejected.version)))).toBe('409 INVALID_STATE');
});

it('a milestone is approved, rejected and refused like a timesheet, and paid at once', async () => {
  const [yes, no, stale] = milestones.ids as [string, string, string];
  const read = async (id: string) => must(await v1.GET('/milestones/{id}', { params: { path: { id } } }));
  const approved = must(
    await v1.POST('/milestones/{id}/approve', {
      params: { path: { id: yes }, ...once() },
      body: { expectedVersion: (await read(yes)).version },
    }),
  );
  expect(approved).toMatchObject({ contractId: milestones.contractId, paymentId: expect.any(String) });
  expect(must(await v1.GET('/payments/{id}', { params: { path: { id: approved.paymentId! } } }))).toMatchObject({
    milestoneId: yes,
    timesheetId: null,
  });
  const rejected = must(
    await v1.POST('/milestones/{id}/reject', {
      params: { path: { id: no }, ...once() },
      body: { expectedVersion: (await read(no)).version, reason: 'A page is missing' },
    }),
  );
  expect(rejected).toMatchObject({ status: 'rejected', paymentId: null, paymentDate: null });
  const outOfDate = { params: { path: { id: stale }, ...once() }, body: { expectedVersion: 'an older one' } };
  expect(refusal(await v1.POST('/milestones/{id}/approve', outOfDate))).toBe('409 STALE_RESOURCE_VERSION');
  const query = { status: 'submitted' } as const;
  const waiting = await v1.GET('/contracts/{id}/milestones', {
    params: { path: { id: milestones.contractId }, query },
  });
  expect(must(waiting).data.map(({ id }) => id)).toEqual([stale]);
});

it('lists of work and payments have every filter, and their pages add up to the whole list', async () => {
  const query = { contractId, limit: 1 } as const;
  const timesheets = await allPages((cursor) =>
    v1.GET('/timesheets', { params: { query: { ...query, ...(cursor && { cursor }) } } }),
  );
  expect(timesheets.map(({ id }) => id)).toEqual(weeks.map(({ id }) => id).toReversed());
  const since = timesheets.find(({ status }) => status === 'rejected')!.updatedAt;
  const changed = must(await v1.GET('/timesheets', { params: { query: { contractId, updatedSince: since } } }));
  expect(changed.data.map(({ id }) => id)).toEqual([weeks[2]!.id]);

  const payments = await allPages((cursor) =>
    v1.GET('/payments', { params: { query: { ...query, status: 'pending', ...(cursor && { cursor }) } } }),
  );
  expect(payments.map(({ timesheetId }) => timesheetId)).toEqual([weeks[1]!.id, weeks[0]!.id]);
  const { updatedAt: updatedSince } = payments[0]!;
  const later = must(await v1.GET('/payments', { params: { query: { contractId, updatedSince } } })).data;
  expect(later.map(({ id }) => id)).toEqual([payments[0]!.id]);

  const path = { id: milestones.contractId };
  const stages = await allPages((cursor) =>
    v1.GET('/contracts/{id}/milestones', { params: { path, query: { limit: 1, ...(cursor && { cursor }) } } }),
  );
  expect(stages.map(({ id }) => id).toSorted()).toEqual(milestones.ids.toSorted());
});
