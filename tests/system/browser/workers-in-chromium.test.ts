import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { LOOKS, startChromium } from '@payroll/tools/browser/chromium';
import { runWorkspacesCommand } from '@payroll/tools/demo/operator';
import { payTo } from '@payroll/tools/demo/seed-payments';
import { contractIn, hourly, registerWorker } from '@payroll/tools/demo/steps';
import { joinSystem, type System } from '../support.js';
import { faultsOf, unreachable } from './faults.js';
import { type Hand, keyboard, pointer } from './hands.js';
import { describeInChromium, looks } from './in-chromium.js';
import { PASSWORD } from './visitor.js';

describeInChromium('the pages of workers', { timeout: 120_000 }, (executable) => {
  let system: System;
  let browser: Browser;
  let workspaceId: string;
  const started = new AsyncDisposableStack();
  beforeAll(async () => {
    system = await joinSystem();
    workspaceId = system.workspaces[0].id;
    browser = started.adopt(await startChromium(executable), (open) => open.close());
  });
  afterAll(() => started.disposeAsync());

  /** A worker with an account, a contract to sign and an active one. */
  async function newWorker(name: string): Promise<string> {
    const access = system.access();
    const worker = await registerWorker(access, name, 'people.example');
    const email = `${crypto.randomUUID()}@people.example`;
    const who = ['--workspace', workspaceId, '--worker', worker.id, '--name', name, '--email', email];
    await runWorkspacesCommand(system.stack, ['give-worker-access', ...who], PASSWORD);
    await contractIn(access, worker, hourly('Field research', 'EUR', '60'), 'pending_signature');
    await contractIn(access, worker, hourly('Interviews', 'EUR', '60'), 'active');
    return email;
  }

  async function signedIn(email: string, way: BrowserContextOptions, handOn: (page: Page) => Hand) {
    const page = await (await browser.newContext(way)).newPage();
    page.setDefaultTimeout(15_000);
    const hand = handOn(page);
    await page.goto(system.stack.file.app!.url);
    await hand.fill(page.getByLabel('Email address'), email);
    await hand.fill(page.getByLabel('Password'), PASSWORD);
    await hand.press(page.getByRole('button', { name: 'Sign in', exact: true }));
    await hand.press(page.getByRole('link', { name: system.workspaces[0].name }));
    return { page, hand };
  }

  it.each([
    ['on a phone, with script off', { ...LOOKS.phone, javaScriptEnabled: false }, pointer],
    ['by keyboard alone', LOOKS.light, keyboard],
  ] as const)('let a worker sign a contract and submit a week %s', async (_way, look, handOn) => {
    const { page, hand } = await signedIn(await newWorker('Wanda Weber'), look, handOn);
    const link = (name: string) => page.getByRole('main').getByRole('link', { name, exact: true });
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    const overview = page.url();
    await hand.press(link('Field research'));
    await hand.press(link('Read and sign'));
    await hand.press(button('Sign this text'));
    expect(await page.getByRole('status').textContent()).toContain('You have signed the contract.');

    await page.goto(overview);
    await hand.press(link('Interviews'));
    await hand.press(link('Submit a timesheet'));
    await hand.press(link('Previous week'));
    const days = page.getByRole('group');
    for (const [n, hours] of ['7.5', '7,5', '7:45', '8', '7'].entries()) {
      await hand.fill(days.nth(n).getByLabel('Hours'), hours);
    }
    await hand.press(button('Continue'));
    expect(await page.getByRole('main').textContent()).toContain('37.75 hours');
    await hand.press(button('Submit for review'));
    expect(await page.getByRole('status').textContent()).toContain('Submitted for review.');
    await page.context().close();
  });

  it.each(looks)('pass axe on %s, fit the screen and have every control in the tab order', async (name, look) => {
    const { page } = await signedIn(await newWorker(`Wilhelmina Featherstonehaugh ${name}`), look, pointer);
    const overview = page.url();
    const hrefs = await page.getByRole('main').getByRole('link').evaluateAll(HREFS);
    const [toSign = '', active = ''] = hrefs.filter((href) => href.includes('/contracts/'));
    const addresses = [overview, toSign, `${toSign}/agreement`, `${toSign}/sign`, `${toSign}/changes`, active];
    for (const address of [
      ...addresses,
      `${active}/timesheet?week=2026-03-02`,
      `${overview}/leave`,
      `${overview}/payments`,
      `${overview}/payout-details`,
      new URL('/account/mail', overview).href,
    ]) {
      await page.goto(address);
      expect([address, [...(await faultsOf(page)), ...(await unreachable(page))]]).toEqual([address, []]);
    }
    await page.context().close();
  });
});

describeInChromium('the page that stops a change of payout details', { timeout: 120_000 }, (executable) => {
  let system: System;
  let browser: Browser;
  const started = new AsyncDisposableStack();
  beforeAll(async () => {
    system = await joinSystem();
    browser = started.adopt(await startChromium(executable), (open) => open.close());
  });
  afterAll(() => started.disposeAsync());

  /** A worker with verified details. */
  async function paidWorker(): Promise<string> {
    const access = system.access();
    const worker = await registerWorker(access, 'Wanda Weber', 'people.example');
    await payTo(access, worker.id, 'DE89 3704 0044 0532 0130 00');
    const email = `${crypto.randomUUID()}@people.example`;
    const who = ['--workspace', system.workspaces[0].id, '--worker', worker.id, '--name', 'Wanda Weber'];
    await runWorkspacesCommand(system.stack, ['give-worker-access', ...who, '--email', email], PASSWORD);
    return email;
  }

  async function linkTo(email: string): Promise<string | undefined> {
    const html = await (await fetch(system.stack.file.mail!.url)).text();
    const mails = html.split('<article>').filter((each) => each.includes(`To ${email}`));
    return mails.flatMap((mail) => /\/payout-details\/stop\/[\w-]{43}/.exec(mail) ?? [])[0];
  }

  it.each([
    ...looks.map(([name, look]) => [`passes axe on ${name}`, look, keyboard] as const),
    ['works on a phone, with script off', { ...LOOKS.phone, javaScriptEnabled: false }, pointer] as const,
  ])('%s, and its button restores the former details', async (_way, look, handOn) => {
    const email = await paidWorker();
    const page = await (await browser.newContext(look)).newPage();
    page.setDefaultTimeout(15_000);
    const hand = handOn(page);
    const { url } = system.stack.file.app!;
    await page.goto(url);
    await hand.fill(page.getByLabel('Email address'), email);
    await hand.fill(page.getByLabel('Password'), PASSWORD);
    await hand.press(page.getByRole('button', { name: 'Sign in', exact: true }));
    await page.waitForURL(/workspaces|work/);
    const details = new URL(`/work/${system.workspaces[0].id}/payout-details`, url).href;
    await page.goto(details);
    await hand.fill(page.getByLabel('Name on the account'), 'Somebody Else');
    await hand.fill(page.getByLabel('Account', { exact: true }), 'DE02 1203 0000 0000 2020 51');
    await hand.press(page.getByRole('button', { name: 'Save', exact: true }));
    const text = (): Promise<string | null> => page.getByRole('main').textContent();
    await expect.poll(text).toContain('Stop the change with the link in the mail');
    // axe runs in the page.
    const faults = async (): Promise<unknown[]> =>
      'javaScriptEnabled' in look ? [] : [...(await faultsOf(page)), ...(await unreachable(page))];
    expect(await faults()).toEqual([]);

    await expect.poll(() => linkTo(email), { timeout: 10_000 }).toBeDefined();
    await page.goto(new URL((await linkTo(email))!, url).href);
    expect(await faults()).toEqual([]);
    await hand.press(page.getByRole('button', { name: 'Stop the change', exact: true }));
    await expect.poll(text).toContain('The change is stopped');
    expect(await faults()).toEqual([]);
    await page.goto(details);
    expect(page.url()).toContain('/sign-in');
    await page.context().close();
  });
});

/** Runs in the browser. */
const HREFS = (links: readonly unknown[]): string[] => (links as readonly { href: string }[]).map(({ href }) => href);
