import { addDays, dayOf, instantOf, newId, type Role } from '@payroll/kernel';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Browser, Page } from '../../../../services/workspaces/test/pages/browser.js';
import { ask, instruct } from '../../../demo/graphql-client.js';
import { CANCEL_PAYMENT, REQUEST_FUNDING, SUBMIT_TIMESHEET, transferOf } from '../../../demo/operations.js';
import { payTo } from '../../../demo/seed-payments.js';
import { contractIn, hourly, registerWorker, type Submitted, type Worker } from '../../../demo/steps.js';
import { submittedMilestones } from '../milestones.js';
import { ownerOf } from '../owner.js';
import { joinSystem, paymentsOf, submittedTimesheet, type System } from '../support.js';
import { newPeople, type Person } from './visitor.js';

// Compares what pages say about money with what happens next.

let system: System;
let people: Record<Role, Person>;
let admin: Browser;
const started = new AsyncDisposableStack();
beforeAll(async () => {
  system = started.use(await joinSystem());
  people = await newPeople(system, system.workspaces[0]);
  admin = people.admin.browser;
});
afterAll(async () => await started.disposeAsync());

const room = (path: string): string => `/workspaces/${system.workspaces[0].id}${path}`;
const today = dayOf(instantOf(new Date()));
const LATER = 400;

interface Terms {
  days: number;
  auto: boolean;
  currency?: string;
}

async function contract(worker: Worker, { days, auto, currency = 'EUR' }: Terms): Promise<string> {
  const invoicingSettings = { paymentDueDays: days, autoPayEnabled: auto };
  const input = hourly(`Of ${newId()}`, currency, '50', { invoicingSettings });
  return await contractIn(system.access(), worker, input, 'active');
}

const newWorker = (): Promise<Worker> => registerWorker(system.access(), `Wim ${newId()}`, 'people.example');

async function payable(): Promise<Worker> {
  const worker = await newWorker();
  await payTo(system.access(), worker.id, 'DE89 3704 0044 0532 0130 00');
  return worker;
}

const fund = (amount: string): Promise<unknown> =>
  instruct(system.access(), REQUEST_FUNDING, transferOf(amount, 'EUR'));

const statusOf = async (paymentId: string): Promise<string> => {
  const query = 'query ($id: ID!) { payment(id: $id) { status } }';
  return (await system.graphql<{ status: string }>(query, { id: paymentId })).status;
};

const leavesPending = (paymentId: string): Promise<void> =>
  vi.waitFor(async () => expect(await statusOf(paymentId)).not.toBe('pending'), 20_000);

async function approve(page: Page, address: string): Promise<string> {
  expect((await admin.submit(page, `${address}/approve`)).status).toBe(303);
  const { html } = await admin.get(address);
  return /\/payments\/([0-9a-f-]{36})"/.exec(html)![1]!;
}

interface Work {
  kind: 'timesheet' | 'milestone';
  id: string;
  contractId: string;
}

/** Work of each kind by when it is paid: at once, on its day, or by an admin. */
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

it('the page of a piece of work says when its approval is paid', async () => {
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

it('approving several says how many are paid at once, and they are', async () => {
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

it('a payment says what stands in its way, is offered when it can be paid, and approved work whose payment failed is no good news', async () => {
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

it('a payment that could not be sent is no success', async () => {
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

it('a payment that an unclaimed order holds says so and who ends it, is not paid by hand, and nothing happens to it', async () => {
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

it('money that is owed is not called nothing', async () => {
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

const CLEAR = `mutation ($amount: Decimal!) { requestClearing(account: workers_receivable, amount: $amount,
  currency: "EUR", reason: "Their letter") { id } }`;

it('what workers got too much stands on the page until two people clear it, and the balances stay as they are', async () => {
  await fund('100');
  await using owner = await ownerOf(system);
  await owner.database.query(
    `with posting as (
       insert into payments.ledger_posting (workspace_id, id, kind, created_at) values ($1, $2, 'settlement', now())
       returning workspace_id, id, created_at
     ), moved (account, amount) as (values ('available', -5.25), ('workers_receivable', 5.25)), entries as (
       insert into payments.ledger_entry (workspace_id, id, posting_id, account, currency, amount, created_at)
       select workspace_id, gen_random_uuid(), id, account, 'EUR', amount, created_at from posting, moved
     ), spent as (
       update payments.ledger_account set balance = balance - 5.25
       where workspace_id = $1 and account = 'available' and currency = 'EUR'
     )
     insert into payments.ledger_account (workspace_id, account, currency, balance)
     values ($1, 'workers_receivable', 'EUR', 5.25)
     on conflict (workspace_id, account, currency) do update set balance = payments.ledger_account.balance + excluded.balance`,
    [system.workspaces[0].id, newId()],
  );
  const available = (page: Page): string | undefined => /Available[^]*?EUR[^]*?<\/tr>/.exec(page.html)?.[0];
  const before = await admin.get(room('/money'));
  expect(before.text).toContain('Workers got 5.25 EUR too much.');
  expect(before.text).toContain('until two people of our finance team have noted that');
  await instruct(system.access(), CLEAR, { amount: '5.25' });
  const after = await admin.get(room('/money'));
  expect(after.text).not.toContain('To settle with workers');
  expect(available(after)).toBe(available(before));
}, 60_000);

it('what ends a contract does to its work and payments what its page says', async () => {
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

describe('the sentence about a payment', () => {
  /** Approved, with a page of its own; 500.00 in a currency that no other test uses. */
  async function approved(currency: string, terms: Omit<Terms, 'currency'>, destination: string): Promise<string> {
    const worker = await newWorker();
    await payTo(system.access(), worker.id, destination);
    const contractId = await contract(worker, { ...terms, currency });
    const input = { contractId, periodStart: today, periodEnd: today, unitsWorked: '10' };
    const { id } = await ask<Submitted>(system.access(), SUBMIT_TIMESHEET, { input });
    const address = room(`/review/timesheet/${id}`);
    return await approve(await admin.get(address), address);
  }

  const fundIn = (amount: string, currency: string): Promise<unknown> =>
    instruct(system.access(), REQUEST_FUNDING, transferOf(amount, currency));
  const available = async (currency: string): Promise<string | undefined> => {
    const query = '{ balances { available { amount currency } } }';
    const { available: all } = await system.graphql<{ available: { amount: string; currency: string }[] }>(query);
    return all.find((each) => each.currency === currency)?.amount;
  };
  const pageOf = (paymentId: string): Promise<Page> => admin.get(room(`/payments/${paymentId}`));
  const saysOnce = (paymentId: string, sentence: string): Promise<void> =>
    vi.waitFor(async () => expect((await pageOf(paymentId)).text).toContain(sentence), 20_000);

  async function pay(paymentId: string): Promise<void> {
    const address = room(`/payments/${paymentId}/pay`);
    expect((await admin.submit(await admin.get(address), address)).status).toBe(303);
  }

  async function play(act: string, fields: Record<string, string>): Promise<void> {
    const answer = await admin.submit(await admin.get(room('/sandbox')), room(`/sandbox/${act}`), fields);
    expect([act, answer.status, answer.text]).toEqual([act, 303, '']);
  }

  const IBAN = 'DE89 3704 0044 0532 0130 00';

  it('names the day on which it is sent, and until then nothing is', async () => {
    await fundIn('500', 'CHF');
    const id = await approved('CHF', { days: LATER, auto: true }, IBAN);
    expect((await pageOf(id)).text).toContain('This payment will be sent on ');
    expect([await statusOf(id), await available('CHF')]).toEqual(['pending', '500.00']);
    await play('due', { due: id });
    await saysOnce(id, 'The worker has been paid.');
    expect(await available('CHF')).toBe('0.00');
  }, 60_000);

  it('that waits for an admin waits, until one pays it from the balance', async () => {
    await fundIn('600', 'DKK');
    const id = await approved('DKK', { days: 0, auto: false }, 'sandbox:stays-under-way');
    const form = await admin.get(room(`/payments/${id}/pay`));
    expect((await pageOf(id)).text).toContain('This payment waits until an admin pays it.');
    expect(form.text).toContain('The money is taken from your balance and sent at once');
    expect([await statusOf(id), await available('DKK')]).toEqual(['pending', '600.00']);
    await pay(id);
    await saysOnce(id, 'The payment has been handed to the payment provider. It has not arrived yet.');
    expect((await admin.get(room('/money'))).text).toContain('have left the available money already');
    expect(await available('DKK')).toBe('100.00');
    await play('settle', { settled: id });
    await saysOnce(id, 'The worker has been paid.');
  }, 60_000);

  it('that the provider declined says that the money is back, and it is', async () => {
    await fundIn('500', 'CZK');
    const id = await approved('CZK', { days: 0, auto: false }, 'sandbox:declines');
    await pay(id);
    await saysOnce(id, 'The payment provider declined the payout. The money is back in your balance.');
    expect((await pageOf(id)).text).toContain('This payment failed. The worker has not been paid.');
    expect(await available('CZK')).toBe('500.00');
    const retry = room(`/payments/${id}/retry`);
    const form = await admin.get(retry);
    expect(form.text).toContain('It is scheduled again. An admin pays it then.');
    await admin.submit(form, retry);
    expect((await pageOf(id)).text).toContain('This payment waits until an admin pays it.');
  }, 60_000);

  it('that was cancelled is not paid by it, also when its day has come', async () => {
    await fundIn('500', 'PLN');
    const id = await approved('PLN', { days: 0, auto: false }, IBAN);
    const form = await admin.get(room(`/payments/${id}/pay`));
    await system.graphql(CANCEL_PAYMENT, { id });
    const page = await pageOf(id);
    expect(page.text).toContain('This payment was cancelled. The worker will not be paid by it.');
    expect(page.html).not.toContain('/pay"');
    expect((await admin.submit(form, room(`/payments/${id}/pay`))).status).not.toBe(303);
    expect([await statusOf(id), await available('PLN')]).toEqual(['cancelled', '500.00']);
  }, 60_000);

  it('that deductions took all of sends nothing', async () => {
    await fundIn('1', 'HUF');
    const id = await approved('HUF', { days: 0, auto: false }, IBAN);
    const deduct = 'mutation ($id: ID!) { addDeduction(paymentId: $id, name: "Advance", amount: "500") { id } }';
    await system.graphql(deduct, { id });
    await pay(id);
    await saysOnce(id, 'Deductions took all of it: there was nothing to pay.');
    expect(await available('HUF')).toBe('1.00');
  }, 60_000);

  it('that would find too little money says by how much, fails, and is sent once there is more', async () => {
    await fundIn('100', 'NOK');
    const id = await approved('NOK', { days: 30, auto: true }, IBAN);
    const money = await admin.get(room('/money'));
    expect(money.text).toMatch(/you will be short of (?:NOK\s)?400\.00(?:\sNOK)?/);
    expect(money.text).toContain('Payments that find too little money fail.');
    expect((await pageOf(id)).text).toContain('As things are now, it would fail.');
    expect((await pageOf(id)).text).toContain('Otherwise it fails when it is due.');
    await play('due', { due: id });
    await saysOnce(id, 'There was not enough money in this currency.');
    await fundIn('400', 'NOK');
    const retry = room(`/payments/${id}/retry`);
    await admin.submit(await admin.get(retry), retry);
    await saysOnce(id, 'The worker has been paid.');
    expect(await available('NOK')).toBe('0.00');
  }, 60_000);
});

it('under a completed contract no work is handed in, and what waits for a review is still approved and paid', async () => {
  const worker = await payable();
  await fund('1000');
  const id = await contract(worker, { days: 0, auto: true });
  const waiting = await submittedTimesheet(system.access(), id);
  await system.graphql(
    'mutation ($id: ID!, $day: CalendarDate!) { startContractOffboarding(id: $id, endDate: $day) { id } }',
    {
      ...{ id, day: addDays(today, -1) },
    },
  );
  const complete = room(`/contracts/${id}/complete`);
  const page = await admin.get(complete);
  expect(page.text).toContain('No more work can be handed in under it. Work that waits for a review can still be');
  expect((await admin.submit(page, complete)).status).toBe(303);
  const input = { contractId: id, periodStart: today, periodEnd: today, unitsWorked: '1' };
  await expect(ask(system.access(), SUBMIT_TIMESHEET, { input })).rejects.toThrow('INVALID_STATE');
  const address = room(`/review/timesheet/${waiting.id}`);
  const paymentId = await approve(await admin.get(address), address);
  await vi.waitFor(async () => expect(await statusOf(paymentId)).toBe('completed'), 20_000);
}, 60_000);
