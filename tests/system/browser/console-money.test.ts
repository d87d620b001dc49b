import { newId, type Role } from '@payroll/kernel';
import { describe, expect, it, vi } from 'vitest';
import type { Page } from '../../../services/workspaces/test/pages/browser.js';
import { ask } from '@payroll/tools/demo/graphql-client';
import { ownerOf } from '../owner.js';
import { registerWorker } from '@payroll/tools/demo/steps';
import { activeContract, joinSystem, submittedTimesheet } from '../support.js';
import { newPeople, PASSWORD } from './visitor.js';

const system = await joinSystem();
const [own] = system.workspaces;
const people = await newPeople(system, own);
const contractId = await activeContract(system.access());
const { id, version } = await submittedTimesheet(system.access(), contractId);
const body = { expectedVersion: version };
const approved = await system.rest(own.apiKeys.admin, 'POST', `/timesheets/${id}/approve`, body);
const paymentId = String(approved.body['paymentId']);
const query = 'query ($id: ID!) { contract(id: $id) { worker { id } } }';
const { worker } = await ask<{ worker: { id: string } }>(system.access(), query, { id: contractId });
const workerId = worker.id;

const room = (path: string): string => `/workspaces/${system.workspaces[0].id}${path}`;
const look = (path: string, role: Role = 'admin'): Promise<Page> => people[role].browser.get(room(path));
const payment = (): Promise<Page> => look(`/payments/${paymentId}`);
const play = async (act: string, fields: Record<string, string>): Promise<void> => {
  const { status, text } = await people.admin.browser.submit(await look('/sandbox'), room(`/sandbox/${act}`), fields);
  expect([act, status, text]).toEqual([act, 303, '']);
};

/** Sends a page's form twice at once. */
async function twice(path: string): Promise<Page[]> {
  const form = await look(path);
  return await Promise.all([1, 2].map(() => people.admin.browser.submit(form, room(path))));
}

it('a payment shows what blocks it, is declined, retried, and paid once', async () => {
  const { browser } = people.admin;
  expect((await payment()).text).toContain('As things are now, it would fail.');
  expect((await payment()).text).toContain('We do not know where to send the money');
  await play('give-payee', { worker: workerId, destination: 'sandbox:stays-under-way' });
  expect((await payment()).text).toContain('payout details are not verified');
  const version = /<option value="([^"|]*\|[^"]*)"/.exec((await look('/sandbox')).html)![1]!;
  await play('verify-payee', { payee: version });
  if ((await look('/sandbox')).html.includes('/verify-business"')) await play('verify-business', {});
  await expect.poll(async () => (await payment()).text).toContain('There is not enough money');
  await play('fund', { amount: '1000.00', currency: 'EUR' });
  expect((await payment()).text).toContain('This payment waits until an admin pays it.');
  expect((await look('')).text).toContain('Payments to start');
  expect((await look('/payments?status=pending')).text).toContain('Scheduled An admin starts it');
  await actTwice('pay');
  await vi.waitFor(() => play('decline', { declined: paymentId }), 20_000);
  await vi.waitFor(async () => expect((await payment()).text).toContain('The payment provider declined'), 30_000);
  expect((await payment()).text).not.toContain('has been paid.');
  await actTwice('retry');
  await actTwice('pay');
  await vi.waitFor(async () => expect((await payment()).text).toContain('It has not arrived yet.'), 20_000);
  await vi.waitFor(() => play('settle', { settled: paymentId }), 20_000);
  await vi.waitFor(async () => expect((await payment()).text).toContain('The worker has been paid.'), 30_000);
  const late = await browser.get(room(`/payments/${paymentId}/retry`));
  expect(late.text).toContain('That is not possible now.');
  expect(late.html).not.toContain('name="version"');
}, 120_000);

/** Sends the form twice and expects one retry or one payout. */
async function actTwice(act: 'retry' | 'pay'): Promise<void> {
  const answers = await twice(`/payments/${paymentId}/${act}`);
  expect(answers.map(({ status, text }) => [status, text])).toEqual([1, 2].map(() => [303, '']));
}

it('a payment that has changed since it was read is shown in its current state, and nothing is done', async () => {
  const { id, version: expectedVersion } = await submittedTimesheet(system.access(), contractId);
  const approved = await system.rest(own.apiKeys.admin, 'POST', `/timesheets/${id}/approve`, { expectedVersion });
  const path = `/payments/${String(approved.body['paymentId'])}/pay`;
  const page = await people.admin.browser.submit(await look(path), room(path), {
    version: '2027-01-01T00:00:00.000000Z',
    seen: JSON.stringify({ Status: 'Waiting' }),
  });
  expect([page.status, page.text]).toEqual([409, expect.stringContaining('has changed since you opened this page')]);
  expect(page.text).toMatch(/What has changed You saw It is now Status .*Waiting/);
  expect(page.text).toContain('Look at the payment once more, and decide about what it is now.');
  const query = 'query ($id: ID!) { payment(id: $id) { status } }';
  expect(await system.graphql(query, { id: approved.body['paymentId'] })).toEqual({ status: 'pending' });
});

it('payout details are stored once, refused if they have changed meanwhile, and never shown again', async () => {
  const path = `/workers/${workerId}/payout-details`;
  const typed = { payoutMethod: 'bank_transfer', destination: 'DE89 3704 0044 0532 0130 00' };
  const [form, late] = [await look(path), await look(path)];
  const send = (page: Page, fields: object): Promise<Page> =>
    people.admin.browser.submit(page, room(path), { ...typed, ...fields });
  const answers = await Promise.all([send(form, {}), send(form, {})]);
  expect(answers.map(({ status }) => status)).toEqual([303, 303]);
  const [worker, again] = [await look(`/workers/${workerId}`, 'viewer'), await look(path)];
  expect(worker.text).toContain('Waiting for verification');
  expect(again.text).toContain('ending in 3000');
  expect(again.html).not.toContain('0532');
  expect((await send(late, {})).status).toBe(409);
  const empty = await send(again, { destination: ' ' });
  expect([empty.status, empty.text]).toEqual([422, expect.stringContaining('Enter the account')]);
});

describe('in a browser that was left open for more than ten minutes', () => {
  const confirmed = async (asked: Page): Promise<Page> => {
    expect(asked.location).toMatch(/^\/sign-in\/again\?/);
    const { browser } = people.admin;
    return await browser.submit(await browser.get(asked.location!), '/sign-in/again', { password: PASSWORD });
  };

  it.each(['/payments/:payment/pay', '/payments/:payment/retry', '/workers/:worker/payout-details'])(
    '%s asks for the password before the form and after it',
    async (shown) => {
      const path = shown.replace(':payment', paymentId).replace(':worker', workerId);
      await leaveOpen();
      expect((await confirmed(await look(path))).location).toBe(room(path));
      const form = await look(path);
      expect(form.status).toBe(200);
      await leaveOpen();
      // A payment that cannot be paid has no form, but one opened earlier may still be sent.
      const [, token = ''] = /name="form_token" value="([^"]*)"/.exec(form.html) ?? [];
      const drawn = { form_token: token, operation_id: newId(), version: '2027-01-01T00:00:00.000000Z' };
      const fields = { payoutMethod: 'wise', destination: 'somebody@evil.example' };
      const sent = await people.admin.browser.post(room(path), { ...drawn, ...fields });
      expect((await confirmed(sent)).location).toBe(room(path));
      const again = await look(path);
      expect(again.text).not.toContain('evil');
      expect((await look(`/workers/${workerId}`)).text).not.toContain('Wise');
    },
  );
});

async function leaveOpen(): Promise<void> {
  await using owner = await ownerOf(system);
  await owner.database.query(
    `update workspaces.session set authenticated_at = authenticated_at - interval '11 min' where account_id in
       (select id from workspaces.account where email = $1)`,
    [people.admin.email],
  );
}

it('payout details that are corrected after going back are saved, because the refused ones did nothing', async () => {
  const { browser } = people.admin;
  const { id } = await registerWorker(system.access(), 'Mended Worker', 'people.example');
  const path = `/workers/${id}/payout-details`;
  const page = await look(path);
  const send = (destination: string) =>
    browser.submit(page, room(path), { payoutMethod: 'bank_transfer', destination });
  expect((await send('')).status).toBe(422);
  const hello = await send('hello');
  expect([hello.status, hello.text]).toEqual([422, expect.stringContaining('Enter a valid IBAN')]);
  expect((await send('DE89370400440532013000')).status).toBe(303);
});

it('members and viewers can read the reason and the amount, and are offered no action', async () => {
  for (const role of ['member', 'viewer'] as const) {
    const [one, list, money] = await Promise.all(
      ['/payments/' + paymentId, '/payments', '/money'].map((path) => look(path, role)),
    );
    expect([one!.status, list!.status, money!.status]).toEqual([200, 200, 200]);
    expect(one!.html).not.toMatch(/\/(?:retry|pay)"/);
    expect(money!.text).toMatch(/Reference RF\d\d( [0-9A-F]{4}){4}/);
    expect((await look('/sandbox', role)).status).toBe(403);
  }
});

it('the export contains the filtered payments with exact amounts, and is downloaded as a file', async () => {
  const all = await look('/payments/export.csv', 'viewer');
  expect([all.status, all.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
  expect(all.headers.get('content-disposition')).toMatch(/^attachment; filename="payments-\d{4}-\d\d-\d\d\.csv"$/);
  expect(all.html).toContain(`"${paymentId}"`);
  expect(all.html).toMatch(/"\d{4}-\d\d-\d\d to \d{4}-\d\d-\d\d","500.00","500.00","EUR"/);
  const none = await look('/payments/export.csv?status=cancelled');
  expect(none.html.trim().split('\r\n')).toHaveLength(1);
});
