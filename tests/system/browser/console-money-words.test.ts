import { addDays, newId, type Role } from '@payroll/kernel';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { Browser, Page } from '../../../services/workspaces/test/pages/browser.js';
import { ask, instruct } from '@payroll/tools/demo/graphql-client';
import { REQUEST_FUNDING, SUBMIT_TIMESHEET, transferOf } from '@payroll/tools/demo/operations';
import { payTo } from '@payroll/tools/demo/seed-payments';
import { contractIn, hourly, registerWorker, type Submitted } from '@payroll/tools/demo/steps';
import { submittedMilestones } from '../milestones.js';
import { ownerOf } from '../owner.js';
import { joinSystem, paymentsOf, submittedTimesheet, type System } from '../support.js';
import { LATER, MoneyPages, today, type Terms } from './money-pages.js';
import { newPeople, type Person } from './visitor.js';

// Compares what pages say about money with what happens next.

let system: System;
let people: Record<Role, Person>;
let admin: Browser;
let pages: MoneyPages;
const started = new AsyncDisposableStack();
beforeAll(async () => {
  system = started.use(await joinSystem());
  people = await newPeople(system, system.workspaces[0]);
  admin = people.admin.browser;
  pages = new MoneyPages(system, admin);
});
afterAll(async () => await started.disposeAsync());

const room: MoneyPages['room'] = (...given) => pages.room(...given);
const contract: MoneyPages['contract'] = (...given) => pages.contract(...given);
const newWorker: MoneyPages['newWorker'] = (...given) => pages.newWorker(...given);
const payable: MoneyPages['payable'] = (...given) => pages.payable(...given);
const fund: MoneyPages['fund'] = (...given) => pages.fund(...given);
const statusOf: MoneyPages['statusOf'] = (...given) => pages.statusOf(...given);
const leavesPending: MoneyPages['leavesPending'] = (...given) => pages.leavesPending(...given);
const approve: MoneyPages['approve'] = (...given) => pages.approve(...given);

interface Work {
  kind: 'timesheet' | 'milestone';
  id: string;
  contractId: string;
}

/** One piece of work for each time of payment: at once, on its day, or by an admin. */
async function works(): Promise<Record<'milestone' | 'overdue' | 'later' | 'byHand', Work>> {
  const worker = await payable();
  await fund('5000');
  const [milestone] = await submittedMilestones(system.access(), 1);
  const timesheet = async (terms: Terms): Promise<Work> => {
    const contractId = await contract(worker, terms);
    const { id } = await submittedTimesheet(system.access(), contractId);
    return { kind: 'timesheet', id, contractId };
  };
  return {
    milestone: { kind: 'milestone', id: milestone!.id, contractId: '' },
    overdue: await timesheet({ days: 0, auto: true }),
    later: await timesheet({ days: LATER, auto: true }),
    byHand: await timesheet({ days: 0, auto: false }),
  };
}

it('the page of a piece of work says when it will be paid after approval', async () => {
  const { milestone, overdue, later, byHand } = await works();
  const said: [Work, string, boolean][] = [
    [milestone, 'Its payout is attempted at once.', true],
    [overdue, 'Its payout is attempted at once.', true],
    [later, 'Its payout is attempted on the day it is due, ', false],
    [byHand, 'An admin has to start its payout.', false],
  ];
  for (const [{ kind, id }, sentence, isAtOnce] of said) {
    const address = room(`/review/${kind}/${id}`);
    const page = await admin.get(address);
    expect(page.text).toContain(`This creates the payment. ${sentence}`);
    const paymentId = await approve(page, address);
    if (isAtOnce) await leavesPending(paymentId);
    else expect(await statusOf(paymentId)).toBe('pending');
  }
}, 120_000);

it('approving several pieces says how many are paid at once, and these are paid', async () => {
  const all = await works();
  const pieces = Object.values(all);
  const queue = await admin.get(room('/review'));
  const ids = new Set(pieces.map(({ id }) => id));
  const chosen = (page: Page): string[] =>
    [...page.html.matchAll(/name="piece" value="([^"]*)"/g)]
      .map(([, piece]) => piece!)
      .filter((piece) => ids.has(piece.split('.')[1]!));
  const confirm = await admin.submit(queue, room('/review/confirm'), { piece: chosen(queue) });
  expect(confirm.text).toContain('The payouts of 2 pieces of work are attempted as soon as you approve.');
  expect(confirm.text.match(/At once/g)).toHaveLength(2);
  expect(confirm.text.match(/By an admin, due/g)).toHaveLength(1);
  const results = await admin.submit(confirm, room('/review/approve'), { piece: chosen(confirm) });
  expect(results.text).toContain('4 pieces of work approved');
  for (const [name, { contractId, id }] of Object.entries(all)) {
    if (name === 'milestone') continue;
    const [paymentId] = await paymentsOf(system.access(), contractId, id);
    if (name === 'overdue') await leavesPending(paymentId!);
    else expect([name, await statusOf(paymentId!)]).toEqual([name, 'pending']);
  }
}, 120_000);

it('a payment shows what blocks it and is offered once it can be paid; a failed one is not good news', async () => {
  const worker = await newWorker();
  const contractId = await contract(worker, { days: 0, auto: true, currency: 'GBP' });
  const { id } = await submittedTimesheet(system.access(), contractId);
  const address = room(`/review/timesheet/${id}`);
  const paymentId = await approve(await admin.get(address), address);
  await vi.waitFor(async () => expect(await statusOf(paymentId)).toBe('failed'), 20_000);
  const work = await admin.get(address);
  expect(work.html).toMatch(/tag-bad">Approved, payment failed/);
  expect((await admin.get(room(`/contracts/${contractId}`))).html).toMatch(/tag-bad">Approved, payment failed/);
  const payment = room(`/payments/${paymentId}`);
  const page = await admin.get(payment);
  expect(page.text).toContain('the worker had no payout details');
  expect(page.text).toContain('After that an admin can try it again.');
  expect(page.html).not.toContain(`${payment}/retry"`);
  expect((await admin.get(`${payment}/retry`)).html).not.toContain('<button type="submit" class="button button-main">');
  await payTo(system.access(), worker.id, 'DE89 3704 0044 0532 0130 00');
  const poor = await admin.get(payment);
  expect(poor.text).toContain('There is not enough money in this currency.');
  expect(poor.html).not.toContain(`${payment}/retry"`);
  await instruct(system.access(), REQUEST_FUNDING, transferOf('500', 'GBP'));
  const mended = await admin.get(payment);
  expect(mended.text).toContain('That is no longer so. An admin can try it again.');
  const retry = await admin.get(`${payment}/retry`);
  expect(retry.text).toContain('sent within moments if it is due');
  expect((await admin.submit(retry, `${payment}/retry`)).status).toBe(303);
  await vi.waitFor(async () => expect(await statusOf(paymentId)).toBe('completed'), 20_000);
  expect((await admin.get(payment)).text).toContain('The worker has been paid.');
}, 120_000);

it('a payment that could not be sent is not shown as a success', async () => {
  const worker = await payable();
  await fund('1000');
  const contractId = await contract(worker, { days: LATER, auto: false });
  const { id } = await submittedTimesheet(system.access(), contractId);
  const address = room(`/review/timesheet/${id}`);
  const paymentId = await approve(await admin.get(address), address);
  const payment = room(`/payments/${paymentId}`);
  const form = await admin.get(`${payment}/pay`);
  expect(form.text).toContain('whatever day it is due');
  const details = room(`/workers/${worker.id}/payout-details`);
  const saved = { payoutMethod: 'bank_transfer', destination: 'DE02 1203 0000 0000 2020 51' };
  expect((await admin.submit(await admin.get(details), details, saved)).status).toBe(303);
  expect((await admin.get(room(`/workers/${worker.id}`))).text).toContain('payments to this worker fail');
  expect((await admin.submit(form, `${payment}/pay`)).status).toBe(303);
  expect(await statusOf(paymentId)).toBe('failed');
  expect((await admin.get(payment)).html).toMatch(/notice notice-bad" role="alert">The payment could not be sent/);
}, 60_000);

it('a payment blocked by an unclaimed order says so and who resolves it, and cannot be paid by hand', async () => {
  const worker = await payable();
  await fund('1000');
  const contractId = await contract(worker, { days: LATER, auto: false });
  const { id } = await submittedTimesheet(system.access(), contractId);
  const address = room(`/review/timesheet/${id}`);
  const paymentId = await approve(await admin.get(address), address);
  const payment = room(`/payments/${paymentId}`);
  const form = await admin.get(`${payment}/pay`);
  await using owner = await ownerOf(system);
  await owner.database.query(
    `insert into payments.unclaimed_order (workspace_id, id, status, idempotency_key, worker_id, payout_method, destination,
       currency, amount, provider_reference, ordered_at, created_at, updated_at)
     values ($1, $2, 'open', $3, $4, 'bank_transfer', 'lost', 'EUR', 500, 'lost', now(), now(), now())`,
    [system.workspaces[0].id, newId(), `timesheet:${newId()}:1`, worker.id],
  );
  const page = await admin.get(payment);
  expect(page.text).toContain('This payment is held.');
  expect(page.text).toContain('until two people of our finance team have found out what it was for');
  expect(page.html).not.toContain(`${payment}/pay"`);
  expect((await admin.submit(form, `${payment}/pay`)).text).toContain('Finance has to say what it was for');
  const cancel = 'mutation ($id: ID!) { cancelPayment(paymentId: $id) { id } }';
  await expect(system.graphql(cancel, { id: paymentId })).rejects.toThrow('Finance has to say what it was for');
  expect(await statusOf(paymentId)).toBe('pending');
  await owner.database.query(`update payments.unclaimed_order set status = 'dismissed' where worker_id = $1`, [
    worker.id,
  ]);
  expect((await admin.get(payment)).text).not.toContain('This payment is held.');
}, 60_000);

it('money that is owed is not shown as nothing', async () => {
  const own = system.workspaces[1];
  const others = (await newPeople(system, own)).admin.browser;
  const access = system.access(own);
  const money = `/workspaces/${own.id}/money`;
  expect((await others.get(money)).text).toContain('No payment is scheduled');
  const worker = await registerWorker(access, 'Una Unpaid', 'people.example');
  const invoicingSettings = { paymentDueDays: 0 };
  const contractId = await contractIn(access, worker, hourly('Unpaid', 'SEK', '50', { invoicingSettings }), 'active');
  const { id } = await submittedTimesheet(access, contractId);
  const address = `/workspaces/${own.id}/review/timesheet/${id}`;
  await others.submit(await others.get(address), `${address}/approve`);
  const failed = 'query { payments(status: failed) { nodes { id } } }';
  await vi.waitFor(async () => {
    expect((await ask<{ nodes: unknown[] }>(access, failed, {})).nodes).toHaveLength(1);
  }, 20_000);
  const page = await others.get(money);
  expect(page.text).toContain('Not counted is 1 payment that failed for another reason than want of money');
  expect(page.text).not.toContain('Nothing is due');
}, 60_000);

it('ending a contract does to its work and payments what its page says', async () => {
  const worker = await payable();
  await fund('2000');
  const [ending, cancelled] = [
    await contract(worker, { days: 0, auto: false }),
    await contract(worker, { days: 0, auto: false }),
  ];
  const end = room(`/contracts/${ending}/end`);
  const page = await admin.get(end);
  expect(page.text).toContain('also after its last day');
  expect((await admin.submit(page, end, { endDate: addDays(today, -2), terminationDate: '' })).status).toBe(303);
  const day = { periodStart: today, periodEnd: today, unitsWorked: '1' };
  const late = await ask<Submitted>(system.access(), SUBMIT_TIMESHEET, { input: { contractId: ending, ...day } });
  const address = room(`/review/timesheet/${late.id}`);
  expect(await statusOf(await approve(await admin.get(address), address))).toBe('pending');

  const [waiting, approved] = [
    await submittedTimesheet(system.access(), cancelled),
    await submittedTimesheet(system.access(), cancelled),
  ];
  const piece = (id: string): string => room(`/review/timesheet/${id}`);
  const paymentId = await approve(await admin.get(piece(approved.id)), piece(approved.id));
  const cancel = room(`/contracts/${cancelled}/cancel`);
  const asked = await admin.get(cancel);
  expect(asked.text).toContain('Payments that exist are made all the same, and work that waits for a review can still');
  expect((await admin.submit(asked, cancel, { reason: 'Called off' })).status).toBe(303);
  expect(await statusOf(await approve(await admin.get(piece(waiting.id)), piece(waiting.id)))).toBe('pending');
  const pay = room(`/payments/${paymentId}/pay`);
  expect((await admin.submit(await admin.get(pay), pay)).status).toBe(303);
  await vi.waitFor(async () => expect(await statusOf(paymentId)).toBe('completed'), 20_000);
}, 120_000);
