import { newId } from '@payroll/kernel';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { Browser, type Page } from '../../../services/workspaces/test/pages/browser.js';
import { ask } from '@payroll/tools/demo/graphql-client';
import { giveWorkerSignIn } from '@payroll/tools/demo/operator';
import { REGISTER_PAYEE, REGISTER_WORKER } from '@payroll/tools/demo/operations';
import { payTo } from '@payroll/tools/demo/seed-payments';
import type { Worker } from '@payroll/tools/demo/steps';
import { joinSystem, submittedTimesheet, type System } from '../support.js';
import { LATER, MoneyPages, type Terms } from './money-pages.js';
import { newPeople } from './visitor.js';

// Compares a worker's pages about money with the payouts.

let system: System;
let workspace: string;
let pages: MoneyPages;
let admin: Browser;
const started = new AsyncDisposableStack();
beforeAll(async () => {
  system = started.use(await joinSystem());
  workspace = system.workspaces[0].id;
  admin = (await newPeople(system, system.workspaces[0])).admin.browser;
  pages = new MoneyPages(system, admin);
});
afterAll(() => started.disposeAsync());

interface Paid {
  worker: Worker;
  browser: Browser;
  look: (path: string) => Promise<Page>;
}

/** A worker without payout details, signed in. */
async function newWorker(): Promise<Paid> {
  const email = `wanda-${newId()}@people.example`;
  const worker = await ask<Worker>(system.access(), REGISTER_WORKER, { name: 'Wanda Weber', email });
  const [signIn] = await giveWorkerSignIn(system.stack, system.access(), email);
  const browser = new Browser(system.stack.file.auth!.url);
  await browser.signIn(email, signIn!.password);
  return { worker, browser, look: (path) => browser.get(`/work/${workspace}/payments${path}`) };
}

/** Ten hours at 50, approved. */
async function approved(worker: Worker, terms: Terms): Promise<string> {
  const { id } = await submittedTimesheet(system.access(), await pages.contract(worker, terms));
  const address = pages.room(`/review/timesheet/${id}`);
  return await pages.approve(await admin.get(address), address);
}

async function ends(paymentId: string, status: string): Promise<void> {
  await vi.waitFor(async () => expect(await pages.statusOf(paymentId)).toBe(status), 20_000);
}

it('a payment is scheduled, then paid, and has an advice to print and a line in the file', async () => {
  const { worker, look } = await newWorker();
  expect((await look('')).text).toContain('No payments yet');
  await payTo(system.access(), worker.id, 'DE89 3704 0044 0532 0130 00');
  await pages.fund('1000');
  const later = await approved(worker, { days: LATER, auto: true });
  expect((await look(`/${later}`)).text).toContain('This payment will be sent on ');
  expect(await look(`/${later}/advice`)).toMatchObject({ status: 409 });
  const paymentId = await approved(worker, { days: 0, auto: true });
  await ends(paymentId, 'completed');
  const page = await look(`/${paymentId}`);
  expect(page.text).toContain('You have been paid.');
  expect(page.text).toContain('Bank transfer, ending in 3000');
  const advice = await look(`/${paymentId}/advice`);
  for (const part of [system.workspaces[0].name, 'Wanda Weber', paymentId, '500.00 EUR', 'No tax was calculated.']) {
    expect(advice.text).toContain(part);
  }
  const list = await look('');
  expect(list.html.match(/<tr>/g)).toHaveLength(3);
  expect(list.html.indexOf(paymentId)).toBeLessThan(list.html.indexOf(later));
  const file = await look('/export.csv');
  expect(file.headers.get('content-type')).toContain('text/csv');
  const [head, newest, ...others] = file.html.trimEnd().split('\r\n');
  expect(head).toContain('"Reference","Status"');
  expect(newest).toContain(`"${paymentId}","Paid"`);
  expect(others).toHaveLength(1);
}, 120_000);

it('a payment that failed tells the worker the next step, but not the balance of the business', async () => {
  const { worker, look } = await newWorker();
  const paymentId = await approved(worker, { days: 0, auto: true, currency: 'SEK' });
  await ends(paymentId, 'failed');
  const page = await look(`/${paymentId}`);
  expect(page.text).toContain('This payment failed. You have not been paid.');
  expect(page.text).toContain('We do not know where to send your money.');
  await ask(system.access(), REGISTER_PAYEE, { workerId: worker.id, destination: 'DE02 1203 0000 0000 2020 51' });
  expect((await look(`/${paymentId}`)).text).toContain('Our staff verify your payout details');
  const poor = await newWorker();
  await payTo(system.access(), poor.worker.id, 'DE89 3704 0044 0532 0130 00');
  const unfunded = await approved(poor.worker, { days: 0, auto: true, currency: 'SEK' });
  await ends(unfunded, 'failed');
  const { text } = await poor.look(`/${unfunded}`);
  expect(text).toContain(`${system.workspaces[0].name} has to do something first.`);
  expect(text).not.toMatch(/balance|fund|enough/i);
}, 120_000);

it('a payment of another worker of the same workspace is not found, on any page', async () => {
  const [own, other] = [await newWorker(), await newWorker()];
  const paymentId = await approved(other.worker, { days: LATER, auto: true });
  for (const below of ['', '/advice']) expect((await own.look(`/${paymentId}${below}`)).status).toBe(404);
  for (const path of ['', '/export.csv']) expect((await own.look(path)).html).not.toContain(paymentId);
  expect((await other.look(`/${paymentId}`)).status).toBe(200);
}, 60_000);
