import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contractIn, hourly, registerWorker } from '../../demo/steps.js';
import { findChromium, LOOKS, startChromium } from '../../browser/chromium.js';
import { activeContract, joinSystem, paymentsOf, submittedTimesheet, type System } from './support.js';
import { newPeople, PASSWORD } from './visitor.js';

const executable = findChromium();

/** Said in its name where it cannot be tried, so that nobody takes it for tried. */
const scene = executable ? 'in Chromium' : 'LEFT OUT, as there is no Chromium on the PATH (apt install chromium)';

const WAYS: Readonly<Record<string, BrowserContextOptions>> = {
  'on a desktop': LOOKS.light,
  'on a phone, with script off': { ...LOOKS.phone, javaScriptEnabled: false },
};

describe.runIf(executable)(`the application, ${scene}`, { timeout: 120_000 }, () => {
  let system: System;
  let browser: Browser;
  let email: string;
  const started = new AsyncDisposableStack();
  const faults: string[] = [];

  beforeAll(async () => {
    system = started.use(await joinSystem());
    browser = started.adopt(await startChromium(executable!), (open) => open.close());
    email = (await newPeople(system, system.workspaces[0])).admin.email;
    // With words that need more room than a phone has.
    const worker = await registerWorker(system.access(), 'Wilhelmina Featherstonehaugh', 'northwind-studio.example');
    await contractIn(system.access(), worker, hourly('Afterthoughts', 'EUR', '50'), 'pending_verification');
  });
  afterAll(async () => await started.disposeAsync());

  /** An admin who has come to the overview of the workspace; what is wrong with any page that they see is kept. */
  async function signedIn(way: BrowserContextOptions): Promise<Page> {
    const page = await (await browser.newContext(way)).newPage();
    page.setDefaultTimeout(15_000);
    page.on('console', (message) => {
      // A broken content policy is one; a page that answers with a status is looked at where it is expected.
      if (message.type() === 'error') faults.push(`${page.url()}: ${message.text()}`);
    });
    page.on('response', (answer) => {
      if (answer.status() >= 400) faults.push(`${answer.url()} answers ${answer.status()}`);
    });
    await page.goto(system.stack.file.app!.url);
    await page.getByLabel('E-mail address').fill(email);
    await page.getByLabel('Password').fill(PASSWORD);
    await press(page, 'Sign in');
    await page.getByRole('link', { name: system.workspaces[0].name }).click();
    await lookAt(page);
    return page;
  }

  async function lookAt(page: Page): Promise<void> {
    const wide = await page.evaluate<number>(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    );
    if (wide > 0) faults.push(`${page.url()} is wider than the screen by ${wide} px`);
  }

  it.each(Object.entries(WAYS))('leads through all its rooms and those of the settings %s', async (_, way) => {
    const page = await signedIn(way);
    const rooms = page.getByRole('navigation', { name: 'Workspace' }).getByRole('listitem').getByRole('link');
    const names = await rooms.allTextContents();
    expect(names).toEqual(expect.arrayContaining(['Overview', 'Contracts', 'API keys', 'Members']));
    for (const name of names) {
      await rooms.getByText(name, { exact: true }).click();
      expect(await page.getByRole('link', { name, exact: true }).getAttribute('aria-current')).toBe('page');
      expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);
      await lookAt(page);
    }
    expect(faults.splice(0)).toEqual([]);
  });

  it.each(Object.entries(WAYS))('has a timesheet approved %s', async (_, way) => {
    const access = system.access();
    const contractId = await activeContract(access);
    const timesheet = await submittedTimesheet(access, contractId);
    const page = await signedIn(way);
    await page.getByRole('link', { name: 'Review', exact: true }).click();
    await page.locator(`a[href$="/review/timesheet/${timesheet.id}"]`).click();
    await lookAt(page);
    await press(page, 'Approve');
    await lookAt(page);
    expect(await page.getByRole('status').textContent()).toContain('Approved.');
    expect(await page.getByRole('button', { name: 'Approve', exact: true }).count()).toBe(0);
    expect(await paymentsOf(access, contractId, timesheet.id)).toHaveLength(1);
    expect(faults.splice(0)).toEqual([]);
  });

  it('leads from a draft at /v1 to money that has arrived, on a phone and with script off', async () => {
    const contractId = await draftFromV1();
    const page = await signedIn(WAYS['on a phone, with script off']!);
    const contract = new URL(`/workspaces/${system.workspaces[0].id}/contracts/${contractId}`, page.url()).href;
    await page.goto(contract);
    const follow = async (name: string): Promise<void> => {
      await page.getByRole('link', { name, exact: true }).first().click();
      await lookAt(page);
    };
    await completeDraft(page, follow);
    for (const act of ['Submit for verification', 'Verify', 'Send for signature', 'Sign for the business']) {
      await follow(act);
      await press(page, act);
    }
    await page.goto(contract.replace(/contracts.*/, 'sandbox'));
    await lookAt(page);
    await press(page, 'Sign “Field research” as the worker');
    await page.goto(contract);
    await follow('Activate');
    await press(page, 'Activate');
    await page.goto(contract.replace(/contracts.*/, 'sandbox'));
    await lookAt(page);
    await playOthers(page);
    await follow('Review');
    await page.getByRole('row', { name: 'Grace Example' }).getByRole('link').first().click();
    await press(page, 'Approve');
    await follow('See the payment');
    const word = async () => (await page.reload()) && (await page.locator('main .tag').first().textContent());
    await expect.poll(word).toBe('Paid');
    await lookAt(page);
    const { viewer } = system.workspaces[0].apiKeys;
    const { body } = await system.rest(viewer, 'GET', `/payments/${page.url().split('/').at(-1)}`);
    expect(body).toMatchObject({ contractId, status: 'completed', netAmount: { amount: '800.00', currency: 'EUR' } });
    expect(faults.splice(0)).toEqual([]);
  });

  /** As an integrator sends it. */
  async function draftFromV1(): Promise<string> {
    const draft = {
      ...{ title: 'Field research', contractType: 'contractor_payg', startDate: '2026-01-01' },
      compensation: { type: 'hourly', currency: 'EUR', rate: 80 },
      invoicingSettings: { paymentDueDays: 0, autoPayEnabled: true },
    };
    const { status, body } = await system.rest(system.workspaces[0].apiKeys.admin, 'POST', '/contracts', draft);
    expect(status).toBe(201);
    return String(body['id']);
  }
});

async function completeDraft(page: Page, follow: (link: string) => Promise<void>): Promise<void> {
  await follow('Edit the draft');
  await press(page, 'Save, then choose the worker');
  await follow('Add a worker');
  await page.getByLabel('Name').fill('Grace Example');
  await page.getByLabel('E-mail address').fill('grace@worker.example');
  await press(page, 'Add');
  await page.getByLabel('Grace Example').check();
  await press(page, 'Choose');
  await follow('Back to the contract');
}

/** What others do before somebody is paid: the worker, whoever verifies them, and the bank. */
async function playOthers(page: Page): Promise<void> {
  await page.getByLabel('Worker', { exact: true }).selectOption({ label: 'Grace Example' });
  await press(page, 'Give payout details');
  await page.getByLabel('Payout details of').selectOption({ label: 'Grace Example' });
  await press(page, 'Verify them');
  await page.getByLabel('Amount').fill('5000.00');
  await press(page, 'Let the money arrive');
  await page.getByLabel('Contract', { exact: true }).selectOption({ label: 'Field research, Grace Example' });
  await page.getByLabel('First day').fill('2026-01-05');
  await page.getByLabel('Last day').fill('2026-01-11');
  await page.getByLabel('Hours, days or pieces').fill('10');
  await press(page, 'Submit the timesheet');
}

async function press(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name, exact: true }).click();
}
