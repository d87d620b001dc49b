import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { contractIn, hourly, registerWorker } from '@payroll/tools/demo/steps';
import { LOOKS, startChromium } from '@payroll/tools/browser/chromium';
import { openMenu } from '@payroll/tools/browser/links';
import { overflowOf } from './faults.js';
import { describeInChromium } from './in-chromium.js';
import { type Hand, keyboard, pointer } from './hands.js';
import { activeContract, joinSystem, paymentsOf, submittedTimesheet, type System } from '../support.js';
import { newPeople, PASSWORD } from './visitor.js';

const WAYS: Readonly<Record<string, BrowserContextOptions>> = {
  'on a desktop': LOOKS.light,
  'on a phone, with script off': { ...LOOKS.phone, javaScriptEnabled: false },
};

describeInChromium('the application', { timeout: 120_000 }, (executable) => {
  let system: System;
  let browser: Browser;
  let email: string;
  const started = new AsyncDisposableStack();
  const faults: string[] = [];

  beforeAll(async () => {
    system = await joinSystem();
    browser = started.adopt(await startChromium(executable), (open) => open.close());
    email = (await newPeople(system, system.workspaces[0])).admin.email;
    // Long words that need more than one line on a phone.
    const worker = await registerWorker(system.access(), 'Wilhelmina Featherstonehaugh', 'northwind-studio.example');
    await contractIn(system.access(), worker, hourly('Afterthoughts', 'EUR', '50'), 'pending_verification');
  });
  afterAll(async () => await started.disposeAsync());

  /** Signs in an admin on the workspace's overview, and collects the faults of every page that they see. */
  async function signedIn(way: BrowserContextOptions, handOn: (page: Page) => Hand = pointer): Promise<Page> {
    const page = await (await browser.newContext(way)).newPage();
    page.setDefaultTimeout(15_000);
    page.on('console', (message) => {
      // A violated content policy is logged as an error. Pages that answer with an error status are checked where they
      // are expected.
      if (message.type() === 'error') faults.push(`${page.url()}: ${message.text()}`);
    });
    page.on('response', (answer) => {
      if (answer.status() >= 400) faults.push(`${answer.url()} answers ${answer.status()}`);
    });
    await page.goto(system.stack.file.app!.url);
    const hand = handOn(page);
    await hand.fill(page.getByLabel('Email address'), email);
    await hand.fill(page.getByLabel('Password'), PASSWORD);
    await hand.press(buttonOf(page, 'Sign in'));
    await hand.press(page.getByRole('link', { name: system.workspaces[0].name }));
    await lookAt(page);
    return page;
  }

  async function lookAt(page: Page): Promise<void> {
    const wide = await overflowOf(page);
    if (wide > 0) faults.push(`${page.url()} is wider than the screen by ${wide} px`);
  }

  it.each(Object.entries(WAYS))('links to every section and every page of the settings %s', async (_, way) => {
    const page = await signedIn(way);
    const rooms = page.getByRole('navigation', { name: 'Workspace' }).getByRole('listitem').getByRole('link');
    await openMenu(page);
    const names = await rooms.allTextContents();
    expect(names).toEqual(expect.arrayContaining(['Overview', 'Contracts', 'API keys', 'Members']));
    for (const name of names) {
      await rooms.getByText(name, { exact: true }).click();
      await openMenu(page);
      expect(await rooms.getByText(name, { exact: true }).getAttribute('aria-current')).toBe('page');
      expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);
      await lookAt(page);
    }
    expect(faults.splice(0)).toEqual([]);
  });

  it.each(Object.entries(WAYS))('approves a timesheet %s', async (_, way) => {
    const access = system.access();
    const contractId = await activeContract(access);
    const timesheet = await submittedTimesheet(access, contractId);
    const page = await signedIn(way);
    await openMenu(page);
    await page.getByRole('link', { name: 'Review', exact: true }).click();
    await page.locator(`a[href$="/review/timesheet/${timesheet.id}"]`).click();
    await lookAt(page);
    await buttonOf(page, 'Approve').click();
    await lookAt(page);
    expect(await page.getByRole('status').textContent()).toContain('Approved.');
    expect(await page.getByRole('button', { name: 'Approve', exact: true }).count()).toBe(0);
    expect(await paymentsOf(access, contractId, timesheet.id)).toHaveLength(1);
    expect(faults.splice(0)).toEqual([]);
  });

  it.each([
    ['on a phone, with script off', WAYS['on a phone, with script off']!, pointer],
    ['by keyboard alone', LOOKS.light, keyboard],
  ] as const)('takes a draft from /v1 to money that has arrived, %s', async (way, look, handOn) => {
    const worker = `Grace Example ${way}`;
    const title = `Field research ${way}`;
    const contractId = await draftFromV1(title);
    const visitor = visitorOf(await signedIn(look, handOn), handOn);
    const { page, press, follow } = visitor;
    const contract = new URL(`/workspaces/${system.workspaces[0].id}/contracts/${contractId}`, page.url()).href;
    const go = async (address: string) => (await page.goto(address)) && (await lookAt(page));
    await go(contract);
    await completeDraft(visitor, worker);
    // Each step leads to the next one.
    for (const act of ['Send for signature', 'Sign for the business']) await press(act);
    await go(contract.replace(/contracts.*/, 'sandbox'));
    await press(`Sign “${title}” as the worker`);
    await go(contract);
    await follow('Activate');
    await press('Activate');
    await go(contract.replace(/contracts.*/, 'sandbox'));
    await playOthers(visitor, worker, title);
    await follow('Review');
    await visitor.hand.press(page.getByRole('row', { name: worker }).getByRole('link').first());
    await press('Approve');
    await follow('See the payment');
    const word = async () => (await page.reload()) && (await page.locator('main .tag').first().textContent());
    await expect.poll(word).toBe('Paid');
    await lookAt(page);
    const { viewer } = system.workspaces[0].apiKeys;
    const { body } = await system.rest(viewer, 'GET', `/payments/${page.url().split('/').at(-1)}`);
    expect(body).toMatchObject({ contractId, status: 'completed', netAmount: { amount: '800.00', currency: 'EUR' } });
    expect(faults.splice(0)).toEqual([]);
  });

  function visitorOf(page: Page, handOn: (page: Page) => Hand): Visitor {
    const hand = handOn(page);
    const arrive = async (target: Locator): Promise<void> => {
      await hand.press(target);
      await lookAt(page);
    };
    return {
      ...{ page, hand },
      press: (button) => arrive(buttonOf(page, button)),
      follow: async (link) => {
        const target = page.getByRole('link', { name: link, exact: true }).first();
        if (!(await target.isVisible())) await openMenu(page);
        await arrive(target);
      },
    };
  }

  /** As an integrator sends it. */
  async function draftFromV1(title: string): Promise<string> {
    const draft = {
      ...{ title, contractType: 'contractor_payg', startDate: '2026-01-01' },
      compensation: { type: 'hourly', currency: 'EUR', rate: 80 },
      invoicingSettings: { paymentDueDays: 0, autoPayEnabled: true },
    };
    const { status, body } = await system.rest(system.workspaces[0].apiKeys.admin, 'POST', '/contracts', draft);
    expect(status).toBe(201);
    return String(body['id']);
  }
});

interface Visitor {
  page: Page;
  hand: Hand;
  /** Both wait for the page that they lead to. */
  press: (button: string) => Promise<void>;
  follow: (link: string) => Promise<void>;
}

async function completeDraft({ page, hand, press, follow }: Visitor, worker: string): Promise<void> {
  await follow('Edit the draft');
  await press('Save, then choose the worker');
  await follow('Add a worker');
  await hand.fill(page.getByLabel('Name'), worker);
  await hand.fill(page.getByLabel('Email address'), 'grace@worker.example');
  await press('Add');
  // Nothing else is missing, so the next step follows.
  await press(`Choose ${worker}`);
}

/** The steps of others before a worker is paid: the worker, the verification staff and the bank. */
async function playOthers({ page, hand, press }: Visitor, worker: string, title: string): Promise<void> {
  await hand.select(page.getByLabel('Worker', { exact: true }), worker);
  await press('Give payout details');
  await hand.select(page.getByLabel('Payout details of'), worker);
  await press('Verify them');
  await hand.fill(page.getByLabel('Amount'), '5000.00');
  await press('Let the money arrive');
  await hand.select(page.getByLabel('Contract', { exact: true }), `${title}, ${worker}`);
  await hand.fill(page.getByLabel('First day'), '2026-01-05');
  await hand.fill(page.getByLabel('Last day'), '2026-01-11');
  await hand.fill(page.getByLabel('Hours or other units'), '10');
  await press('Submit the timesheet');
}

function buttonOf(page: Page, name: string): Locator {
  return page.getByRole('button', { name, exact: true });
}
