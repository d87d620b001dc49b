import { afterAll, expect, it } from 'vitest';
import { Browser, type Page } from '../../../services/workspaces/test/pages/browser.js';
import { ask } from '@payroll/tools/demo/graphql-client';
import { giveWorkerSignIn } from '@payroll/tools/demo/operator';
import { VERIFY_PAYEE } from '@payroll/tools/demo/operations';
import type { Worker } from '@payroll/tools/demo/steps';
import { ownerOf } from '../owner.js';
import { joinSystem } from '../support.js';
import { IBAN, LATER, MoneyPages, type Terms } from './money-pages.js';
import { newPeople, newWorker, workerSignsIn, type WorkerWithMail } from './visitor.js';

// Compares a worker's pages about money with the payouts.

const system = await joinSystem();
const workspace = system.workspaces[0].id;
const admin = (await newPeople(system, system.workspaces[0])).admin.browser;
const pages = new MoneyPages(system, admin);
const { database } = await ownerOf(system);
afterAll(() => database.end());

interface Paid {
  worker: WorkerWithMail;
  browser: Browser;
  look: (path: string) => Promise<Page>;
}

/** A worker without payout details, signed in. */
async function newPaid(): Promise<Paid> {
  const worker = await newWorker(system);
  const browser = await workerSignsIn(system, worker);
  return { worker, browser, look: (path) => browser.get(`/work/${workspace}/payments${path}`) };
}

const approved = async (worker: Worker, terms: Terms): Promise<string> =>
  (await pages.approved(worker, terms)).paymentId;

/** The worker enters the account on their page. */
async function enters({ browser }: Paid, destination = IBAN): Promise<Page> {
  const path = `/work/${workspace}/payout-details`;
  const given = { holder: 'Wanda Weber', payoutMethod: 'bank_transfer', destination };
  return await browser.submit(await browser.get(path), path, given);
}

/** Our staff verify it with the worker. */
async function verified({ worker }: Paid, destination = IBAN): Promise<void> {
  const access = system.access();
  const payee = await pages.payeeOf(worker.id);
  await ask({ ...access, token: access.finance[0] }, VERIFY_PAYEE, { ...payee, destination });
}

async function rejected({ worker }: Paid): Promise<void> {
  const { id } = await pages.payeeOf(worker.id);
  const access = system.access();
  const reject = 'mutation ($id: ID!) { rejectPayee(id: $id, reason: "Not theirs") { id } }';
  await ask({ ...access, token: access.finance[0] }, reject, { id });
}

it('a payment is scheduled, then paid, and has an advice to print and a line in the file', async () => {
  const wanda = await newPaid();
  const { worker, look } = wanda;
  expect((await look('')).text).toContain('No payments yet');
  expect((await enters(wanda)).status).toBe(303);
  await verified(wanda);
  await pages.fund('1000');
  const later = await approved(worker, { days: LATER, auto: true });
  expect((await look(`/${later}`)).text).toContain('This payment will be sent on ');
  const early = await look(`/${later}/advice`);
  expect([early.status, early.text]).toEqual([409, expect.stringContaining('once the payment has been made')]);
  const paymentId = await approved(worker, { days: 0, auto: true });
  await pages.becomes(paymentId, 'completed');
  const page = await look(`/${paymentId}`);
  expect(page.text).toContain('You have been paid.');
  expect(page.text).toContain('Bank transfer, ending in 3000');
  const advice = await look(`/${paymentId}/advice`);
  const work = '5 – 11 Jan 2026';
  const parts = [system.workspaces[0].name, 'Wanda Weber', paymentId, '500.00 EUR', 'No tax was calculated.'];
  for (const part of [...parts, `For ${work}: 10 hours at 50.00 EUR`]) {
    expect(advice.text).toContain(part);
  }
  const list = await look('');
  expect(list.text).toContain('Only a payment marked as paid has been sent and received.');
  expect(list.text).toMatch(
    /Scheduled Scheduled, by day and contract Pay date Contract Amount \w{3}, .* 500\.00 EUR All payments/,
  );
  expect(list.html.match(/<tr>/g)).toHaveLength(5);
  expect(list.html.indexOf(paymentId)).toBeLessThan(list.html.indexOf(later));
  const file = await look('/export.csv');
  expect(file.headers.get('content-type')).toContain('text/csv');
  const [head, newest, ...others] = file.html.trimEnd().split('\r\n');
  expect(list.text).toContain(work);
  expect(head).toContain('"Reference","Status","Contract","Work"');
  expect(newest).toContain('"2026-01-05 to 2026-01-11"');
  expect(newest).toContain(`"${paymentId}","Paid"`);
  expect(others).toHaveLength(1);
  expect(newest).toContain('"500.00","500.00","500.00","EUR"');
  const otherwise = JSON.stringify({ amount: '550.00', currency: 'USD' });
  await database.query(
    `update payments.payout_attempt set heard = heard || jsonb_build_object('amount', $2::jsonb) where payment_id = $1`,
    [paymentId, otherwise],
  );
  expect((await look('/export.csv')).html).toContain('"500.00","500.00","550.00 USD","EUR"');
}, 120_000);

it('a payment that failed tells the worker the next step, but not the balance of the business', async () => {
  const wanda = await newPaid();
  const { worker, look } = wanda;
  const paymentId = await approved(worker, { days: 0, auto: true, currency: 'SEK' });
  await pages.becomes(paymentId, 'failed');
  const page = await look(`/${paymentId}`);
  expect(page.text).toContain('This payment failed. You have not been paid.');
  expect(page.text).toContain(
    `We do not know where to send your money. Enter your payout details, which our staff then verify. Then ${system.workspaces[0].name} can pay it again.`,
  );
  await enters(wanda);
  expect((await look(`/${paymentId}`)).text).toContain('Our staff verify your payout details with you');
  expect((await look('')).text).toContain('Your payout details are being verified');
  await rejected(wanda);
  expect((await look(`/${paymentId}`)).text).toContain('Your payout details were not accepted. Others are needed.');
  const poor = await newPaid();
  await enters(poor);
  await verified(poor);
  const unfunded = await approved(poor.worker, { days: 0, auto: true, currency: 'SEK' });
  await pages.becomes(unfunded, 'failed');
  const { text } = await poor.look(`/${unfunded}`);
  expect(text).toContain(`${system.workspaces[0].name} has to do something first.`);
  expect(text).not.toMatch(/balance|fund|enough/i);
}, 120_000);

it('a payment of another worker of the same workspace is not found, on any page', async () => {
  const [own, other] = [await newPaid(), await newPaid()];
  const paymentId = await approved(other.worker, { days: LATER, auto: true });
  for (const below of ['', '/advice']) expect((await own.look(`/${paymentId}${below}`)).status).toBe(404);
  for (const path of ['', '/export.csv']) expect((await own.look(path)).html).not.toContain(paymentId);
  expect((await other.look(`/${paymentId}`)).status).toBe(200);
});

it('payout details are entered by the worker alone, shown masked, and say which payment goes where', async () => {
  const wanda = await newPaid();
  const { browser, worker } = wanda;
  const path = `/work/${workspace}/payout-details`;
  await approved(worker, { days: LATER, auto: true });
  const empty = await browser.get(path);
  expect(empty.text).toContain('our staff verify it with you before any money is sent there');
  expect(empty.text).toContain('Payments that have not arrived yet');
  expect(empty.text).toContain('Needs payout details that can be used');
  const wrong = await enters(wanda, 'DE89 3704 0044 0532 0130 01');
  expect(wrong).toMatchObject({ status: 422 });
  expect(wrong.text).toContain('Enter a valid IBAN');
  expect((await enters(wanda)).status).toBe(303);
  const waiting = await browser.get(path);
  expect(waiting.text).toContain('Saved. Our staff verify the account with you before any money is sent there.');
  expect(waiting.text).toContain('Bank transfer, ending in 3000, once verified');
  expect(waiting.html).not.toContain('0044');
  await verified(wanda);
  expect((await browser.get(path)).text).toMatch(/Status Verified.*ending in 3000 Amount 500\.00/);

  const details = pages.room(`/workers/${worker.id}/payout-details`);
  const theirs = await admin.get(details);
  expect(theirs.text).toContain(
    'Wanda Weber signs in and enters them, and nobody else does. Our staff verify them with Wanda Weber before any money is sent there.',
  );
  expect(theirs.html).not.toContain('name="destination"');
  expect((await admin.get(pages.room(`/workers/${worker.id}`))).html).not.toContain(`${details}"`);
});

it('an admin who opened the form before the worker signed in reads that the worker enters the details', async () => {
  const worker = await pages.newWorker();
  const details = pages.room(`/workers/${worker.id}/payout-details`);
  const form = await admin.get(details);
  const query = 'query ($id: ID!) { worker(id: $id) { email } }';
  await giveWorkerSignIn(
    system.stack,
    system.access(),
    (await ask<{ email: string }>(system.access(), query, worker)).email,
  );
  const refused = await admin.submit(form, details, { payoutMethod: 'bank_transfer', destination: IBAN });
  expect(refused.text).toContain('This worker signs in and enters their payout details themselves.');
});

it('scheduled payments are shown also behind sixty newer ones; of more than a hundred, the newest', async () => {
  const wanda = await newPaid();
  await enters(wanda);
  await verified(wanda);
  await pages.fund('500');
  const first = await approved(wanda.worker, { days: LATER, auto: true });
  const copies = (count: number, status: string) =>
    database.query(
      `insert into payments.payment
       select workspace_id, gen_random_uuid(), contract_id, source_type, gen_random_uuid(), $3, sequence, currency, gross, net,
         scheduled_date, auto_pay_enabled, processed_at, completed_at, failure_reason, traceparent, now(), now()
       from payments.payment, generate_series(1, $2) where id = $1`,
      [first, count, status],
    );
  await copies(60, 'cancelled');
  const few = await wanda.look('');
  expect(few.text).toContain('Scheduled, by day and contract');
  expect(few.text).not.toContain('Of your newest');
  await copies(100, 'pending');
  const { text } = await wanda.look('');
  expect(text).toMatch(/50000\.00 EUR|50,000\.00 EUR/);
  expect(text).toContain('Of your newest 100 payments under way. Older ones are in the list below.');
  await database.query(
    `delete from payments.payment where id <> $1 and contract_id = (select contract_id from payments.payment where id = $1)`,
    [first],
  );
});

it('a change of verified details makes a payment wait on both pages until a day later, and then it goes by itself', async () => {
  const wanda = await newPaid();
  const { browser, worker, look } = wanda;
  await pages.fund('500');
  await enters(wanda);
  await verified(wanda);
  const changed = 'DE02 1203 0000 0000 2020 51';
  expect((await enters(wanda, changed)).status).toBe(303);
  await verified(wanda, changed);
  const paymentId = await approved(worker, { days: 0, auto: true });
  const mine = await look(`/${paymentId}`);
  expect(mine.text).toContain('This payment waits, because your payout details are on hold.');
  expect(mine.text).toMatch(/nothing is paid to your payout details before \d+ \w+ \d{4}, \d\d:\d\d UTC/);
  expect(mine.text).toContain('Then this payment goes on by itself.');
  expect((await look('')).text).toContain('Your payout details are on hold');
  expect((await look('')).text).not.toContain('Scheduled, by day and contract');
  const details = await browser.get(`/work/${workspace}/payout-details`);
  expect(details.text).toContain('payments that are due meanwhile wait until then.');
  expect(details.text).toContain('ending in 2051, after the waiting time');
  expect(details.text).toContain('Stop the change with the link in the mail that we sent you about it.');
  expect((await admin.get(pages.room(`/workers/${worker.id}`))).text).toMatch(
    /The payout details are on hold: they were changed, or our staff ended the access with which they were entered. Nothing is paid to them before \d+ \w+ \d{4}, \d\d:\d\d UTC ?, and payments that are due meanwhile wait. Until then a worker who signs in can stop a change, with the link mailed to them./,
  );
  const payment = pages.room(`/payments/${paymentId}`);
  const theirs = await admin.get(payment);
  expect(theirs.text).toContain('This payment waits, because the worker’s payout details are on hold.');
  expect(theirs.html).not.toContain(`${payment}/pay"`);
  expect(theirs.text).toContain('If they are verified by then, it goes on by itself.');
  expect((await admin.get(`${payment}/pay`)).text).toContain('Nothing is paid to them yet.');
  const byHand = await approved(worker, { days: 0, auto: false });
  expect((await look(`/${byHand}`)).text).not.toContain('by itself');
  expect((await admin.get(pages.room(`/payments/${byHand}`))).text).toContain('it can be paid from then on.');
  const rest = await system.rest(system.workspaces[0].apiKeys.admin, 'GET', `/payments/${paymentId}`);
  expect(rest.body).toMatchObject({ status: 'pending', failureReason: null });
  await database.query(`update payments.payee set held_until = held_until - interval '24 h' where worker_id = $1`, [
    worker.id,
  ]);
  await pages.becomes(paymentId, 'completed');
  expect((await look(`/${paymentId}`)).text).toContain('Bank transfer, ending in 2051');
});

/** The texts of the mails to the address, as the page of the mail catcher shows them. */
async function mailsTo(email: string): Promise<string[]> {
  const html = await (await fetch(system.stack.file.mail!.url)).text();
  return html.split('<article>').filter((each) => each.includes(`To ${email}`));
}

it('a change made in a stolen session is mailed within ten seconds, and the link restores the former details', async () => {
  const wanda = await newPaid();
  const { browser: thief, worker, look } = wanda;
  const { email } = worker;
  await pages.fund('500');
  await enters(wanda);
  await verified(wanda);
  const stolen = 'DE02 1203 0000 0000 2020 51';
  expect((await enters(wanda, stolen)).status).toBe(303);
  const linkIn = async (form: RegExp): Promise<string | undefined> =>
    (await mailsTo(email)).flatMap((mail) => form.exec(mail) ?? [])[0];
  const stopIn = (): Promise<string | undefined> => linkIn(/\/payout-details\/stop\/[\w-]{43}/);
  await expect.poll(stopIn, { timeout: 10_000 }).toBeDefined();
  const link = (await stopIn())!;
  await verified(wanda, stolen);
  const paymentId = await approved(worker, { days: 0, auto: true });
  expect((await look(`/${paymentId}`)).text).toContain('This payment waits, because your payout details are on hold.');

  const owner = new Browser(system.stack.file.auth!.url);
  const page = await owner.get(link);
  expect(page.text).toContain('Stop the change of your payout details?');
  expect(await pages.statusOf(paymentId)).toBe('pending');
  const stopped = await owner.submit(page, link);
  expect([stopped.status, stopped.text]).toEqual([200, expect.stringContaining('The change is stopped')]);
  await pages.becomes(paymentId, 'completed');
  expect((await thief.get(`/work/${workspace}`)).location).toContain('/sign-in');
  const { rows } = await database.query(`select destination from payments.payout_attempt where payment_id = $1`, [
    paymentId,
  ]);
  expect(rows).toEqual([{ destination: IBAN }]);

  await owner.submit(await owner.get('/forgot-password'), '/forgot-password', { email });
  const resetIn = async (): Promise<string | undefined> => linkIn(/\/reset-password\/[\w-]{43}/);
  await expect.poll(resetIn, { timeout: 10_000 }).toBeDefined();
  const [reset, password] = [(await resetIn())!, 'seven lanterns under oak'];
  await owner.submit(await owner.get(reset), reset, { password, repeated: password });
  await owner.signIn(email, password);
  const details = await owner.get(`/work/${workspace}/payout-details`);
  expect(details.text).toMatch(
    /The last change was stopped \d+ \w+ \d{4}, \d\d:\d\d UTC ?, with the link that was mailed to you/,
  );
  expect(details.text).toContain('These are your former details again.');
  expect(details.text).toMatch(/Account Bank transfer, ending in 3000 Status Verified/);
  const shown = await admin.get(pages.room(`/workers/${worker.id}`));
  expect(shown.text).toMatch(/The worker stopped a change of the payout details \d+ \w+ \d{4}/);
  expect(shown.text).toContain('Payments go to the former ones.');
  const told = `select 1 from workspaces.notice where kind = 'payout_change_stopped' and about_id = $1`;
  const { id: payeeId } = await pages.payeeOf(worker.id);
  await expect.poll(async () => (await database.query(told, [payeeId])).rowCount).toBeGreaterThan(0);
});

it('a payment under way and one that the provider declined say so, and who acts next', async () => {
  const [slow, wrong] = [await newPaid(), await newPaid()];
  await pages.fund('1000');
  const pay = async (paid: Paid, destination: string): Promise<string> => {
    expect((await enters(paid, destination)).status).toBe(303);
    await verified(paid, destination);
    return await approved(paid.worker, { days: 0, auto: true });
  };
  const underWay = await pay(slow, 'sandbox:stays-under-way');
  await pages.becomes(underWay, 'processing');
  expect((await slow.look(`/${underWay}`)).text).toContain('This payment is with the payment provider.');
  const declined = await pay(wrong, 'sandbox:declines');
  await pages.becomes(declined, 'failed');
  const page = await wrong.look(`/${declined}`);
  expect(page.text).toContain('The payment provider could not pay to your account. Check your payout details.');
  expect(page.html).toContain(`href="/work/${workspace}/payout-details"`);
});
