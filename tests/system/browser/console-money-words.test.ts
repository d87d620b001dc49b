import { addDays, newId } from '@payroll/kernel';
import { expect, it, vi } from 'vitest';
import type { Page } from '../../../services/workspaces/test/pages/browser.js';
import { ask, instruct } from '@payroll/tools/demo/graphql-client';
import { REQUEST_FUNDING, SUBMIT_TIMESHEET, transferOf } from '@payroll/tools/demo/operations';
import { payTo } from '@payroll/tools/demo/seed-payments';
import { contractIn, hourly, registerWorker, type Submitted } from '@payroll/tools/demo/steps';
import { submittedMilestones } from '../milestones.js';
import { ownerOf } from '../owner.js';
import { joinSystem, paymentsOf, submittedTimesheet } from '../support.js';
import { IBAN, LATER, MoneyPages, today, type Terms } from './money-pages.js';
import { newPeople } from './visitor.js';

// Compares what pages say about money with what happens next.

const system = await joinSystem();
const people = await newPeople(system, system.workspaces[0]);
const admin = people.admin.browser;
const pages = new MoneyPages(system, admin);
const { room, contract, newWorker, payable, fund, statusOf, becomes, leavesPending, approve, approved, send } = pages;

const textOf = async (path: string): Promise<string> => (await admin.get(room(path))).text;

interface Nodes {
  nodes: { id: string }[];
}

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

const PAID_HOW: Readonly<Record<string, string>> = {
  'Its payout is attempted at once.': 'when it is ',
  'Its payout is attempted on the day it is due, ': 'Yes, when it is due',
  'An admin has to start its payout.': 'No, an admin starts the payout',
};

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
    expect(page.text).toContain(PAID_HOW[sentence]);
    const paymentId = await approve(page, address);
    if (isAtOnce) await leavesPending(paymentId);
    else expect(await statusOf(paymentId)).toBe('pending');
  }
}, 120_000);

/** The period of a contract's first `submittedTimesheet`. */
const FIRST_WEEK_ENDS = '2026-01-11';

it('a contract says when its timesheets are due and who pays them then, and so it is', async () => {
  const { milestone, overdue, later, byHand } = await works();
  const said: [Work, string, string][] = [
    [overdue, 'Pay date of timesheets At the end of the period', 'They are paid automatically'],
    [later, `Pay date of timesheets ${LATER} days after the end of the period`, 'They are paid automatically'],
    [byHand, 'Pay date of timesheets At the end of the period', 'An admin starts the payment'],
  ];
  for (const [work, due, by] of said) {
    const page = await textOf(`/contracts/${work.contractId}`);
    for (const each of ['Work can be submitted, approved and paid.', due, by]) expect(page).toContain(each);
    const address = room(`/review/timesheet/${work.id}`);
    const paymentId = await approve(await admin.get(address), address);
    const query = 'query ($id: ID!) { payment(id: $id) { scheduledDate } }';
    const { scheduledDate } = await system.graphql<{ scheduledDate: string }>(query, { id: paymentId });
    expect(scheduledDate).toBe(addDays(FIRST_WEEK_ENDS, work === later ? LATER : 0));
    if (work === overdue) await becomes(paymentId, 'completed');
    else expect(await statusOf(paymentId)).toBe('pending');
  }
  const address = room(`/review/milestone/${milestone.id}`);
  const page = await admin.get(address);
  const [, contractId] = /\/contracts\/([0-9a-f-]{36})"/.exec(page.html)!;
  expect(await textOf(`/contracts/${contractId}`)).toContain('Milestones are paid As soon as they are approved');
  const paymentId = await approve(page, address);
  await becomes(paymentId, 'completed');
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
  expect(confirm.text).toContain('Each piece becomes a payment of its own.');
  expect(confirm.text).toContain('The payouts of 2 pieces of work are attempted as soon as you approve.');
  expect(confirm.text.match(/At once/g)).toHaveLength(2);
  expect(confirm.text.match(/By an admin, due/g)).toHaveLength(1);
  const results = await admin.submit(confirm, room('/review/approve'), { piece: chosen(confirm) });
  expect(results.text).toContain('4 pieces of work approved');
  const made = results.html.matchAll(/\/payments\/([0-9a-f-]{36})"/g);
  expect(new Set([...made].map(([, paymentId]) => paymentId))).toHaveLength(4);
  for (const [name, { contractId, id }] of Object.entries(all)) {
    if (name === 'milestone') continue;
    const [paymentId] = await paymentsOf(system.access(), contractId, id);
    if (name === 'overdue') await leavesPending(paymentId!);
    else expect([name, await statusOf(paymentId!)]).toEqual([name, 'pending']);
  }
}, 120_000);

it('approving work that is paid later says that no payout is attempted, and none is', async () => {
  const { later, byHand } = await works();
  const queue = await admin.get(room('/review'));
  const chosen = (page: Page): string[] =>
    [...page.html.matchAll(/name="piece" value="([^"]*)"/g)]
      .map(([, piece]) => piece!)
      .filter((piece) => [later.id, byHand.id].includes(piece.split('.')[1]!));
  const confirm = await admin.submit(queue, room('/review/confirm'), { piece: chosen(queue) });
  expect(confirm.text).toContain('No payout is attempted by approving; below is when it is.');
  const results = await admin.submit(confirm, room('/review/approve'), { piece: chosen(confirm) });
  expect(results.text).toContain('2 pieces of work approved');
  for (const { contractId, id } of [later, byHand]) {
    const [paymentId] = await paymentsOf(system.access(), contractId, id);
    expect(await statusOf(paymentId!)).toBe('pending');
  }
});

it.each(['timesheet', 'milestone'] as const)(
  'a %s that no bank can pay is not approved, says so, and can be rejected',
  async (kind) => {
    const work = (await works())[kind === 'milestone' ? 'milestone' : 'byHand'];
    const [column, sentence] =
      kind === 'milestone' ? ['amount', 'No bank can pay this amount.'] : ['total', 'No bank can pay this total.'];
    await using owner = await ownerOf(system);
    await owner.database.query(`update review.${kind} set ${column} = 10.005 where id = $1`, [work.id]);
    const address = room(`/review/${kind}/${work.id}`);
    const refused = await admin.submit(await admin.get(address), `${address}/approve`);
    expect([refused.status, refused.text]).toEqual([
      422,
      expect.stringContaining(`${sentence} Reject it, or have it corrected`),
    ]);
    expect((await admin.submit(refused, `${address}/reject`, { reason: 'Half a cent' })).status).toBe(303);
    expect((await admin.get(address)).html).not.toContain('/payments/');
  },
  60_000,
);

it('a payment shows what blocks it and is offered once it can be paid; a failed one is not good news', async () => {
  const worker = await newWorker();
  const { contractId, paymentId, payment, address } = await approved(worker, { days: 0, auto: true, currency: 'GBP' });
  await becomes(paymentId, 'failed');
  const work = await admin.get(address);
  expect(work.html).toMatch(/tag-bad">Approved, payment failed/);
  expect((await admin.get(room(`/contracts/${contractId}`))).html).toMatch(/tag-bad">Approved, payment failed/);
  const page = await admin.get(payment);
  expect(page.text).toContain('the worker had no payout details');
  expect(page.text).toContain(
    'The worker’s payout details have to be entered, and then verified. A worker who signs in enters them.',
  );
  expect(page.text).toContain('After that you can try it again.');
  expect(page.html).not.toContain(`${payment}/retry"`);
  expect((await admin.get(`${payment}/retry`)).html).not.toContain('<button type="submit" class="button button-main">');
  expect((await admin.get(`${payment}/retry`)).text).toContain(
    'It would fail now. We do not know where to send the money: the worker has no payout details.',
  );
  expect(await pages.forced(paymentId, 'retry')).toBe(303);
  await becomes(paymentId, 'failed');
  await payTo(system.access(), worker.id, 'DE89 3704 0044 0532 0130 00');
  const poor = await admin.get(payment);
  expect(poor.text).toContain('There is not enough money in this currency. Add money to your balance.');
  expect(poor.html).not.toContain(`${payment}/retry"`);
  await instruct(system.access(), REQUEST_FUNDING, transferOf('500', 'GBP'));
  const mended = await admin.get(payment);
  expect(mended.text).toContain('That is no longer so.');
  const retry = await admin.get(`${payment}/retry`);
  expect(retry.text).toContain('sent within moments if it is due');
  expect((await admin.submit(retry, `${payment}/retry`)).status).toBe(303);
  expect((await admin.get(payment)).text).toContain('The payment is scheduled again.');
  await becomes(paymentId, 'completed');
  expect((await admin.get(payment)).text).toContain('The worker has been paid.');
}, 120_000);

it('a payment that could not be sent is not shown as a success', async () => {
  const worker = await payable();
  await fund('500', 'SGD');
  const terms = { days: LATER, auto: false, currency: 'SGD' };
  const [{ paymentId, payment }, other] = [await approved(worker, terms), await approved(worker, terms)];
  const form = await admin.get(`${payment}/pay`);
  expect(form.text).toContain('whatever day it is due');
  await send(`${other.payment}/pay`);
  expect((await admin.submit(form, `${payment}/pay`)).status).toBe(303);
  expect(await statusOf(paymentId)).toBe('failed');
  expect((await admin.get(payment)).html).toMatch(/notice notice-bad" role="alert"[^>]*>The payment could not be sent/);
});

it('a payment to details that were changed after the form was opened is not sent, and does not fail', async () => {
  const worker = await payable();
  await fund('1000');
  const { paymentId, payment } = await approved(worker, { days: LATER, auto: false });
  const form = await admin.get(`${payment}/pay`);
  const details = room(`/workers/${worker.id}/payout-details`);
  const saved = { payoutMethod: 'bank_transfer', destination: 'DE02 1203 0000 0000 2020 51' };
  await send(details, saved);
  expect((await admin.get(room(`/workers/${worker.id}`))).text).toContain(
    'Payments to this worker fail until the details are verified; those that are due soon after a change',
  );
  expect((await admin.submit(form, `${payment}/pay`)).status).not.toBe(303);
  expect(await statusOf(paymentId)).toBe('pending');
  expect((await admin.get(payment)).text).toContain('Until when it waits');
});

it('a payment to details that are not verified fails, and is paid once others are verified', async () => {
  const worker = await newWorker();
  await fund('1000');
  const { paymentId, payment } = await approved(worker, { days: LATER, auto: false });
  const details = room(`/workers/${worker.id}/payout-details`);
  const saved = { payoutMethod: 'bank_transfer', destination: 'DE02 1203 0000 0000 2020 51' };
  await send(details, saved);
  expect(await textOf(`/workers/${worker.id}`)).toContain(
    'Saved. Until the details are verified, payments to this worker fail.',
  );
  expect(await pages.forced(paymentId, 'pay')).toBe(303);
  expect(await statusOf(paymentId)).toBe('failed');
  const failed = await admin.get(payment);
  expect(failed.html).toMatch(/notice notice-bad" role="alert"[^>]*>The payment could not be sent/);
  expect(failed.text).toContain('The worker’s payout details had not been verified.');
  expect(failed.text).toContain('Wait until they are verified; where they were not accepted, add others.');

  const { id: payee } = await pages.payeeOf(worker.id);
  const reject = 'mutation ($id: ID!) { rejectPayee(id: $id, reason: "Not theirs") { id } }';
  const access = system.access();
  await ask({ ...access, token: access.finance[0] }, reject, { id: payee });
  expect(await textOf(`/workers/${worker.id}`)).toContain('Not accepted: new payout details are needed');
  expect(await textOf(`/payments/${paymentId}/retry`)).toContain('The worker’s payout details are not verified.');
  const lead = 'Before anything is paid there, our staff check with the worker that it is theirs.';
  expect((await admin.get(details)).text).toContain(
    `${lead} Payments that are due meanwhile fail, and you can try them again;`,
  );
  await pages.correct(worker.id, IBAN);
  expect((await admin.get(payment)).text).toContain('That is no longer so.');
  for (const act of ['retry', 'pay']) await send(`${payment}/${act}`);
  await becomes(paymentId, 'completed');
});

it('a payment that no bank can pay says that trying again does not help, and it does not', async () => {
  const worker = await payable();
  await fund('1000');
  const { paymentId } = await approved(worker, { days: LATER, auto: false });
  await using owner = await ownerOf(system);
  await owner.database.query('update payments.payment set gross = 10.005, net = 10.005 where id = $1', [paymentId]);
  const says = async (status: string): Promise<void> => {
    const page = await textOf(`/payments/${paymentId}`);
    expect(page).toContain('No bank can pay this amount in this currency.');
    expect(page).toContain('Ask us what to do about it: trying again does not help.');
    expect(page).not.toMatch(/paid yet|After that|An admin can/);
    expect(await statusOf(paymentId)).toBe(status);
  };
  await says('pending');
  expect(await textOf(`/payments/${paymentId}/pay`)).toContain('It would fail now. No bank can pay this amount');
  expect(await pages.forced(paymentId, 'pay')).toBe(303);
  await says('failed');
  expect(await textOf('')).toContain('Amount cannot be paid');
  expect(await pages.forced(paymentId, 'retry')).toBe(303);
  expect(await pages.forced(paymentId, 'pay')).toBe(303);
  await says('failed');
});

it('a payment blocked by an unclaimed order says so and who resolves it, and cannot be paid by hand', async () => {
  const worker = await payable();
  await fund('1000');
  const { paymentId, payment } = await approved(worker, { days: LATER, auto: false });
  const form = await admin.get(`${payment}/pay`);
  const { paymentId: failed } = await approved(worker, { days: 0, auto: true, currency: 'MXN' });
  await becomes(failed, 'failed');
  await fund('500', 'MXN');
  await using owner = await ownerOf(system);
  await owner.database.query(
    `insert into payments.unclaimed_order (workspace_id, id, status, idempotency_key, worker_id, payout_method, destination,
       currency, amount, provider_reference, ordered_at, created_at, updated_at)
     values ($1, $2, 'open', $3, $4, 'bank_transfer', 'lost', 'EUR', 500, 'lost', now(), now(), now())`,
    [system.workspaces[0].id, newId(), `timesheet:${newId()}:1`, worker.id],
  );
  const page = await admin.get(payment);
  expect(page.text).toContain('This payment is held.');
  expect(page.text).toContain('The payment provider has an order to this worker that none of your payments has made.');
  expect(page.text).toContain('until two people of our finance team have found out what it was for');
  expect(page.html).not.toContain(`${payment}/pay"`);
  expect((await admin.submit(form, `${payment}/pay`)).text).toContain('Finance has to say what it was for');
  const cancel = 'mutation ($id: ID!) { cancelPayment(paymentId: $id) { id } }';
  await expect(system.graphql(cancel, { id: paymentId })).rejects.toThrow('Finance has to say what it was for');
  expect(await statusOf(paymentId)).toBe('pending');
  const lost = await admin.get(room(`/payments/${failed}`));
  expect(lost.text).toContain('That is no longer so. Once nothing holds it, you can try it again.');
  expect(lost.html).not.toContain(`/payments/${failed}/retry"`);
  const retry = room(`/payments/${failed}/retry`);
  const held = await admin.get(retry);
  expect(held.text).toContain('so the payment is neither sent nor cancelled until two people of our finance team');
  expect(held.html).not.toContain('name="version"');
  const unfunded = await approved(worker, { days: LATER, auto: true, currency: 'THB' });
  expect((await admin.get(unfunded.payment)).text).toContain(
    'Add money to your balance. Once nothing holds it, it would fail.',
  );
  await owner.database.query(`update payments.unclaimed_order set status = 'dismissed' where worker_id = $1`, [
    worker.id,
  ]);
  expect((await admin.get(payment)).text).not.toContain('This payment is held.');
  await send(retry);
  await becomes(failed, 'completed');
});

it('money that is owed is not shown as nothing', async () => {
  const own = system.workspaces[1];
  const others = (await newPeople(system, own)).admin.browser;
  const access = system.access(own);
  const money = `/workspaces/${own.id}/money`;
  const nothing = 'No payment is scheduled Approved work stands here while its payment is scheduled.';
  expect((await others.get(money)).text).toContain(nothing);
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
  expect(page.text).toContain('1 payment that failed for another reason is not included.');
  expect(page.text).not.toContain('Nothing is due');

  const second = await submittedTimesheet(access, contractId);
  const [of, ids] = [`/workspaces/${own.id}/review/timesheet/${second.id}`, () => ask<Nodes>(access, failed, {})];
  await others.submit(await others.get(of), `${of}/approve`);
  await vi.waitFor(async () => expect((await ids()).nodes).toHaveLength(2), 20_000);
  const both = (await others.get(money)).text;
  expect(both).toContain('2 payments that failed for another reason are not included.');
  expect(both).toContain('They are still owed.');
  const { nodes } = await ids();
  await payTo(access, worker.id, IBAN);
  await instruct(access, REQUEST_FUNDING, transferOf('1000', 'SEK'));
  for (const each of nodes) {
    const retry = `/workspaces/${own.id}/payments/${each.id}/retry`;
    expect((await others.submit(await others.get(retry), retry)).status).toBe(303);
  }
  const paid = 'query { payments(status: completed) { nodes { id } } }';
  await vi.waitFor(async () => expect((await ask<Nodes>(access, paid, {})).nodes).toHaveLength(2), 20_000);
}, 120_000);

it('a transfer that finance books with the page’s reference stands there as available, once it is countersigned', async () => {
  const before = await textOf('/money');
  expect(before).toContain(
    'in which it is needed, and name this reference. It tells us that the money is for this workspace.',
  );
  expect(before).toContain('We book a transfer once it has arrived; then it stands above as available.');
  expect(before).not.toContain('1,234.00 BGN');
  const [, reference] = /Reference (RF\d\d(?: [0-9A-F]{4}){4})/.exec(before)!;
  const request = REQUEST_FUNDING.replace('Demo funding', reference!);
  await instruct(system.access(), request, transferOf('1234', 'BGN'));
  expect(await textOf('/money')).toContain('1,234.00 BGN');
});

it('overdue payments and payments that failed for lack of funds count as due today', async () => {
  const worker = await payable();
  const [overdue, failed] = [
    await approved(worker, { days: 0, auto: false, currency: 'RON' }),
    await approved(worker, { days: 0, auto: true, currency: 'RON' }),
  ];
  await becomes(failed.paymentId, 'failed');
  const money = await textOf('/money');
  expect(money).toContain('Today includes overdue payments and payments that failed for lack of funds.');
  expect(money).toContain('RON Dashed and marked with “!”: not covered by your balance as it is now.');
  expect(money).toMatch(
    /Payments 2 Amount 1,000\.00 RON Balance after it -1,000\.00 RON Covered Short of 1,000\.00 RON/,
  );
  expect(await textOf('')).toContain('1,000.00 RON 2 payments Not covered by your balance of 0.00 RON');
  await fund('1000', 'RON');
  const funded = await textOf('/money');
  expect(funded).not.toContain('RON Dashed');
  expect(funded).toMatch(/Amount 1,000\.00 RON Balance after it 0\.00 RON Covered Covered/);
  expect(await textOf('')).toContain('1,000.00 RON 2 payments Covered by your balance of 1,000.00 RON');
  for (const [{ paymentId, payment }, act] of [
    [overdue, 'pay'],
    [failed, 'retry'],
  ] as const) {
    await send(`${payment}/${act}`);
    await becomes(paymentId, 'completed');
  }
});

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
  await send(pay);
  await becomes(paymentId, 'completed');
}, 120_000);
