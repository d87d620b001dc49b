import { addDays, newId } from '@payroll/kernel';
import { describe, expect, it, vi } from 'vitest';
import type { Page } from '../../../services/workspaces/test/pages/browser.js';
import { ask, instruct } from '@payroll/tools/demo/graphql-client';
import { CANCEL_CONTRACT, CANCEL_PAYMENT, SUBMIT_TIMESHEET } from '@payroll/tools/demo/operations';
import type { Submitted } from '@payroll/tools/demo/steps';
import { ownerOf } from '../owner.js';
import { joinSystem, submittedTimesheet } from '../support.js';
import { IBAN, LATER, MoneyPages, today, type Terms } from './money-pages.js';
import { newPeople } from './visitor.js';

// Compares what pages say about payments with what happens to them.

const system = await joinSystem();
const admin = (await newPeople(system, system.workspaces[0])).admin.browser;
const pages = new MoneyPages(system, admin);
const { room, contract, payable, fund, statusOf, becomes, approve, send } = pages;

describe('the page of a payment', () => {
  /** An approved payment of 500.00 in a currency that no other test uses. */
  async function approved(currency: string, terms: Omit<Terms, 'currency'>, destination: string): Promise<string> {
    const worker = await payable(destination);
    const contractId = await contract(worker, { ...terms, currency });
    const input = { contractId, periodStart: today, periodEnd: today, unitsWorked: '10' };
    const { id } = await ask<Submitted>(system.access(), SUBMIT_TIMESHEET, { input });
    const address = room(`/review/timesheet/${id}`);
    const paymentId = await approve(await admin.get(address), address);
    // The workspace is new: payments may not have received the event that its business is verified.
    const isVerified = async (): Promise<void> =>
      expect((await pageOf(paymentId)).text).not.toContain('Your business is not verified');
    await vi.waitFor(isVerified, 20_000);
    return paymentId;
  }

  const available = async (currency: string): Promise<string | undefined> => {
    const query = '{ balances { available { amount currency } } }';
    const { available: all } = await system.graphql<{ available: { amount: string; currency: string }[] }>(query);
    return all.find((each) => each.currency === currency)?.amount;
  };
  const pageOf = (paymentId: string): Promise<Page> => admin.get(room(`/payments/${paymentId}`));
  /** The payment's row in the list. */
  const listed = async (paymentId: string): Promise<string> => {
    const rows = (await admin.get(room('/payments'))).html.split('<tr');
    return rows.find((row) => row.includes(`/payments/${paymentId}"`))!;
  };
  const saysOnce = (paymentId: string, sentence: string): Promise<void> =>
    vi.waitFor(async () => expect((await pageOf(paymentId)).text).toContain(sentence), 20_000);

  const workerOf = async (paymentId: string): Promise<string> =>
    /\/workers\/([0-9a-f-]{36})"/.exec((await pageOf(paymentId)).html)![1]!;

  async function pay(paymentId: string): Promise<void> {
    await send(room(`/payments/${paymentId}/pay`));
  }

  async function play(act: string, fields: Record<string, string>): Promise<void> {
    const answer = await admin.submit(await admin.get(room('/sandbox')), room(`/sandbox/${act}`), fields);
    expect([act, answer.status, answer.text]).toEqual([act, 303, '']);
  }

  it("a due payment's page says that it is sent shortly, and it is", async () => {
    await fund('500', 'ISK');
    const id = await approved('ISK', { days: LATER, auto: true }, IBAN);
    await using owner = await ownerOf(system);
    await using other = await ownerOf(system);
    await other.database.query('begin');
    await other.database.query('select from payments.change_clock where workspace_id = $1 for update', [
      system.workspaces[0].id,
    ]);
    await owner.database.query('update payments.payment set scheduled_date = $2 where id = $1', [id, today]);
    expect((await pageOf(id)).text).toContain('This payment is due and will be sent shortly.');
    expect(await statusOf(id)).toBe('pending');
    await other.database.query('rollback');
    await saysOnce(id, 'The worker has been paid.');
  });

  it("a scheduled payment's page names the day on which it is sent, and it is not sent before", async () => {
    await fund('500', 'CHF');
    const id = await approved('CHF', { days: LATER, auto: true }, IBAN);
    expect((await pageOf(id)).text).toContain('This payment will be sent on ');
    expect([await statusOf(id), await available('CHF')]).toEqual(['pending', '500.00']);
    await play('due', { due: id });
    await saysOnce(id, 'The worker has been paid.');
    expect(await available('CHF')).toBe('0.00');
  });

  it('a payment whose page says that it waits for an admin is not sent until an admin pays it', async () => {
    await fund('600', 'DKK');
    const id = await approved('DKK', { days: 0, auto: false }, 'sandbox:stays-under-way');
    const form = await admin.get(room(`/payments/${id}/pay`));
    expect((await pageOf(id)).text).toContain('This payment waits until an admin pays it.');
    expect(form.text).toContain('The money is taken from your balance and sent at once');
    expect([await statusOf(id), await available('DKK')]).toEqual(['pending', '600.00']);
    await pay(id);
    expect((await pageOf(id)).text).toContain('The payment is on its way.');
    await saysOnce(id, 'The payment has been handed to the payment provider. It has not arrived yet.');
    expect((await admin.get(room('/money'))).text).toContain('have left the available money already');
    expect(await available('DKK')).toBe('100.00');
    const lead = 'Approved work becomes a payment. Only one that says so has been paid.';
    expect((await admin.get(room('/payments'))).text).toContain(lead);
    expect(await listed(id)).toContain('>On its way<');
    await play('settle', { settled: id });
    await saysOnce(id, 'The worker has been paid.');
    expect(await listed(id)).toContain('>Paid<');
  });

  it("a declined payment's page says that the money is back in the balance, and it is", async () => {
    await fund('500', 'CZK');
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
    await pay(id);
    const advice = 'Check the payout details with the worker, and have them corrected if they are wrong.';
    await saysOnce(id, advice);
    await pages.correct(await workerOf(id), IBAN);
    await send(retry);
    await pay(id);
    await saysOnce(id, 'The worker has been paid.');
  });

  it("a cancelled payment's page says that it is not paid, and it is not, even on its due date", async () => {
    await fund('500', 'PLN');
    const id = await approved('PLN', { days: 0, auto: false }, IBAN);
    const form = await admin.get(room(`/payments/${id}/pay`));
    await system.graphql(CANCEL_PAYMENT, { id });
    const page = await pageOf(id);
    expect(page.text).toContain('This payment was cancelled. The worker will not be paid by it.');
    expect(page.html).not.toContain('/pay"');
    expect((await admin.submit(form, room(`/payments/${id}/pay`))).status).not.toBe(303);
    expect([await statusOf(id), await available('PLN')]).toEqual(['cancelled', '500.00']);
  });

  it('a payment whose provider reports another amount is held, and nothing is sent again', async () => {
    await fund('900', 'ILS');
    const id = await approved('ILS', { days: 0, auto: false }, 'sandbox:stays-under-way');
    await pay(id);
    await saysOnce(id, 'It has not arrived yet.');
    await using owner = await ownerOf(system);
    const attempts = async (change: string): Promise<unknown[]> =>
      (await owner.database.query(`${change} where payment_id = $1 returning heard->>'status' as heard`, [id])).rows;
    await attempts(`update payments.payout_attempt set amount = 400, alarm = 'differs'`);
    await play('settle', { settled: id });
    const isHeard = async (): Promise<void> =>
      expect(await attempts('update payments.payout_attempt set next_poll_at = null')).toEqual([{ heard: 'settled' }]);
    await vi.waitFor(isHeard, 20_000);
    const held = (await pageOf(id)).text;
    expect(held).toContain('The payment provider has answered something unexpected. Nothing is sent again.');
    expect(held).toContain('What the payment provider says of this payout is not what was ordered.');
    expect([await statusOf(id), await available('ILS')]).toEqual(['processing', '400.00']);
    await attempts('update payments.payout_attempt set amount = 500.00, alarm = null, next_poll_at = null');
    await saysOnce(id, 'The worker has been paid.');
    expect(await attempts('update payments.payout_attempt set polls = polls')).toHaveLength(1);
    const other = `jsonb_set(heard, '{amount}', '{"amount": "497.00", "currency": "ILS"}')`;
    await attempts(`update payments.payout_attempt set heard = ${other}`);
    const both = 'The payment provider has paid the worker 497.00 ILS instead of 500.00 ILS.';
    const whatNext = 'Settle the difference with the worker, and tell us: Money shows it until then.';
    expect((await pageOf(id)).text).toContain(`${both} ${whatNext}`);
  });

  it('a payment reduced to zero by deductions sends nothing, as its page says', async () => {
    await fund('1', 'HUF');
    const id = await approved('HUF', { days: 0, auto: false }, IBAN);
    const deduct = 'mutation ($id: ID!) { addDeduction(paymentId: $id, name: "Advance", amount: "500") { id } }';
    await system.graphql(deduct, { id });
    await pay(id);
    await saysOnce(id, 'Deductions took all of it: there was nothing to pay.');
    expect(await available('HUF')).toBe('1.00');
  });

  it('a payment without sufficient funds shows the shortfall, fails, and is sent once funds have arrived', async () => {
    await fund('100', 'NOK');
    const id = await approved('NOK', { days: 30, auto: true }, IBAN);
    const second = await approved('NOK', { days: 60, auto: true }, IBAN);
    const money = await admin.get(room('/money'));
    const short = 'you will be short of 400.00 NOK, and of 900.00 NOK for all that is due within thirteen weeks.';
    expect(money.text).toContain(short);
    expect(money.text).toContain('Payments that find too little money fail.');
    expect((await pageOf(id)).text).toContain('This payment is scheduled. As things are now, it would fail.');
    expect((await pageOf(id)).text).toContain('Otherwise it fails when it is due.');
    await play('due', { due: id });
    await saysOnce(id, 'There was not enough money in this currency.');
    await fund('900', 'NOK');
    expect((await admin.get(room('/money'))).text).not.toMatch(/short of [\d.,]+ NOK/);
    const retry = room(`/payments/${id}/retry`);
    await send(retry);
    await saysOnce(id, 'The worker has been paid.');
    await play('due', { due: second });
    await saysOnce(second, 'The worker has been paid.');
    expect(await available('NOK')).toBe('0.00');
  });
});

it('under a completed contract no work can be submitted, and submitted work is still approved and paid', async () => {
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
  const said = 'Work that waits for a review can still be approved and paid; work that is rejected then stays unpaid.';
  expect(page.text).toContain(`No more work can be submitted or corrected under it. ${said}`);
  expect((await admin.submit(page, complete)).status).toBe(303);
  const input = { contractId: id, periodStart: today, periodEnd: today, unitsWorked: '1' };
  await expect(ask(system.access(), SUBMIT_TIMESHEET, { input })).rejects.toThrow('INVALID_STATE');
  const address = room(`/review/timesheet/${waiting.id}`);
  const review = await admin.get(address);
  expect(review.text).toContain('work that is rejected now can no longer be corrected, and stays unpaid.');
  const paymentId = await approve(review, address);
  await becomes(paymentId, 'completed');
});

it('support can cancel a payment until it is sent, as its page says', async () => {
  const { paymentId, payment: path } = await pages.approved(await payable(), { days: 0, auto: false });
  const payment = async () => (await admin.get(path)).text;
  expect(await payment()).toContain('Support can cancel it until it is sent.');
  expect(await payment()).toMatch(/For Timesheet \d+ – \d+ Jan 2026 .* Reference [0-9a-f-]{36}/);
  await system.graphql('mutation ($id: ID!) { cancelPayment(paymentId: $id) { id } }', { id: paymentId });
  expect(await statusOf(paymentId)).toBe('cancelled');
  expect(await payment()).not.toContain('Support can cancel it');
});

it('terms without approval pay the timesheets that wait, which their form counts', async () => {
  const worker = await payable();
  await fund('2000');
  const id = await contract(worker, { days: 0, auto: true });
  const waiting = [await submittedTimesheet(system.access(), id), await submittedTimesheet(system.access(), id)];
  const terms = room(`/contracts/${id}/terms`);
  const page = await admin.get(terms);
  expect(page.text).toMatch(/Waiting for review 2 timesheets, 1,000\.00 EUR, for days until \d+ Jan 2026/);
  const said = 'If timesheets no longer need approval, those that wait are approved, and paid as the others.';
  expect(page.text).toContain(said);
  expect((await admin.submit(page, terms, { timesheetApprovalRequired: 'no' })).status).toBe(303);
  const paid = 'query ($id: ID!) { timesheet(id: $id) { payment { status } } }';
  for (const { id: timesheet } of waiting) {
    const read = () => system.graphql<object>(paid, { id: timesheet });
    await expect.poll(read, { timeout: 20_000 }).toEqual({ payment: { status: 'completed' } });
  }
});

it('the work of a cancelled contract that is deleted can still be paid, and who deletes and who approves reads it', async () => {
  const id = await contract(await payable(), { days: 0, auto: false });
  const { id: timesheet } = await submittedTimesheet(system.access(), id);
  await ask(system.access(), CANCEL_CONTRACT, { id });
  const page = await admin.get(room(`/contracts/${id}/delete`));
  expect(page.text).toContain('Waiting for review 1 timesheet, 500.00 EUR');
  expect(page.text).toContain('Work that waits for a review can still be approved and paid.');
  const address = room(`/review/timesheet/${timesheet}`);
  expect((await admin.get(address)).text).toMatch(/Contract .* Cancelled /);
  await admin.submit(page, room(`/contracts/${id}/delete`));
  const piece = await admin.get(address);
  expect(piece.text).toMatch(/Contract .* Deleted /);
  expect(await statusOf(await approve(piece, address))).toBe('pending');
});

const CLEAR = `mutation ($account: DifferenceAccount!, $amount: Decimal!) { requestClearing(account: $account, amount: $amount,
  currency: "EUR", reason: "Their letter") { id } }`;

/** Postings as of payouts of other amounts: 5.25 too much, 3.00 too little. */
const DIFFERENCES = `
  with posting as (
    insert into payments.ledger_posting (workspace_id, id, kind, created_at) values ($1, $2, 'settlement', now())
    returning workspace_id, id, created_at
  ), moved (account, amount) as (
    values ('available', -2.25), ('workers_receivable', 5.25), ('workers_payable', -3.00)
  ), entries as (
    insert into payments.ledger_entry (workspace_id, id, posting_id, account, currency, amount, created_at)
    select workspace_id, gen_random_uuid(), id, account, 'EUR', amount, created_at from posting, moved
  ), spent as (
    update payments.ledger_account set balance = balance - 2.25
    where workspace_id = $1 and account = 'available' and currency = 'EUR'
  )
  insert into payments.ledger_account (workspace_id, account, currency, balance)
  values ($1, 'workers_receivable', 'EUR', 5.25), ($1, 'workers_payable', 'EUR', -3.00)
  on conflict (workspace_id, account, currency) do update set balance = payments.ledger_account.balance + excluded.balance`;

it('an overpayment is shown on the Money page until two people clear it, and the balances do not change', async () => {
  await fund('100');
  await using owner = await ownerOf(system);
  await owner.database.query(DIFFERENCES, [system.workspaces[0].id, newId()]);
  const available = (page: Page): string | undefined => /Available[^]*?EUR[^]*?<\/tr>/.exec(page.html)?.[0];
  const before = await admin.get(room('/money'));
  expect(before.text).toContain('Workers got 5.25 EUR too much.');
  expect(before.text).toContain('3.00 EUR is still owed to workers.');
  expect(before.text).toContain('The payment provider has paid another amount than was ordered.');
  expect(before.text).toContain('Your balances stay as they are.');
  expect(before.text).toContain('until two people of our finance team have noted that');
  await instruct(system.access(), CLEAR, { account: 'workers_receivable', amount: '5.25' });
  const half = await admin.get(room('/money'));
  expect(half.text).not.toContain('too much.');
  expect(half.text).toContain('3.00 EUR is still owed to workers.');
  await instruct(system.access(), CLEAR, { account: 'workers_payable', amount: '3' });
  const after = await admin.get(room('/money'));
  expect(after.text).not.toContain('To settle with workers');
  expect(available(after)).toBe(available(before));
});

it('before work is approved, its page and the confirmation say that its payout would fail, and it does', async () => {
  const worker = await pages.newWorker();
  const { id } = await submittedTimesheet(system.access(), await contract(worker, { days: 0, auto: true }));
  const address = room(`/review/timesheet/${id}`);
  const sentence =
    'A payout fails while its worker has no verified payout details. You can try it again once they are verified.';
  const page = await admin.get(address);
  expect(page.text).toContain(sentence);
  const queue = await admin.get(room('/review'));
  const [, piece] = new RegExp(`name="piece" value="([^"]*${id}[^"]*)"`).exec(queue.html)!;
  const confirm = await admin.submit(queue, room('/review/confirm'), { piece: piece! });
  expect(confirm.text).toContain(sentence);
  expect(confirm.text).toContain('At once No payout details');
  const paymentId = await approve(page, address);
  await becomes(paymentId, 'failed');
  await pages.correct(worker.id, IBAN);
  await fund('1000');
  const retry = room(`/payments/${paymentId}/retry`);
  await send(retry);
  await becomes(paymentId, 'completed');
  const other = await submittedTimesheet(system.access(), await contract(worker, { days: 0, auto: true }));
  expect((await admin.get(room(`/review/timesheet/${other.id}`))).text).not.toContain(sentence);
});
