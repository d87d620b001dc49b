import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { LOOKS, startChromium } from '@payroll/tools/browser/chromium';
import { describeInChromium } from './in-chromium.js';
import { hasFocus, keyboard } from './hands.js';
import { ask } from '@payroll/tools/demo/graphql-client';
import { REGISTER_WORKER } from '@payroll/tools/demo/operations';
import { contractIn, hourly, type Worker } from '@payroll/tools/demo/steps';
import { activeContract, joinSystem, submittedTimesheet, type System } from '../support.js';
import { newPeople, PASSWORD } from './visitor.js';

describeInChromium('islands', { timeout: 120_000 }, (executable) => {
  let system: System;
  let browser: Browser;
  let email: string;
  const started = new AsyncDisposableStack();

  beforeAll(async () => {
    system = await joinSystem();
    browser = started.adopt(await startChromium(executable), (open) => open.close());
    email = (await newPeople(system, system.workspaces[0])).admin.email;
    const contract = await activeContract(system.access());
    for (let n = 0; n < 2; n++) await submittedTimesheet(system.access(), contract);
  });
  afterAll(async () => await started.disposeAsync());

  /** Opens a page of the workspace as an admin. Client state lasts until another page is loaded. */
  async function pageAt(path: string): Promise<Page> {
    const page = await (await browser.newContext(LOOKS.light)).newPage();
    page.setDefaultTimeout(15_000);
    await page.goto(system.stack.file.app!.url);
    await page.getByLabel('Email address').fill(email);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.goto(addressOf(path));
    await page.evaluate('document.title += " (the same page)"');
    return page;
  }

  /** On the page where a new draft is filled in. */
  async function newDraft(title: string, contractType: string): Promise<Page> {
    const page = await pageAt('/contracts/new');
    await page.getByLabel('Title').fill(title);
    await page.locator(`input[value=${contractType}]`).check();
    await page.getByRole('button', { name: 'Create draft' }).click();
    await page.waitForURL(/\/edit$/);
    return page;
  }

  const addressOf = (path: string): string =>
    new URL(`/workspaces/${system.workspaces[0].id}${path}`, system.stack.file.app!.url).href;

  const isSame = async (page: Page): Promise<boolean> => (await page.title()).endsWith('(the same page)');

  it('pages load only our own scripts, and none where a password is typed or a secret is shown', async () => {
    const page = await pageAt('/contracts');
    const policyAt = async (path: string): Promise<string> =>
      (await page.goto(new URL(path, page.url()).href))!.headers()['content-security-policy']!;
    expect(await policyAt(page.url())).toContain("default-src 'none'; script-src 'self'; connect-src 'self';");
    const noScript = expect.not.stringMatching(/script-src|connect-src|unsafe/) as string;
    for (const path of ['/account', '/sign-in']) expect(await policyAt(path)).toEqual(noScript);
    await page.goto(addressOf('/keys/new'));
    await page.getByLabel('Name').fill('Shown once');
    const answered = page.waitForResponse((response) => response.request().method() === 'POST');
    await page.getByRole('button', { name: 'Create key', exact: true }).click();
    expect((await answered).headers()['content-security-policy']).toEqual(noScript);
    await page.getByRole('heading', { name: 'Key created' }).waitFor();
    expect(await page.locator('script').count()).toBe(0);
  });

  it('a list is filtered while the user types, and the address is updated', async () => {
    const page = await pageAt('/contracts');
    const search = page.getByLabel('Search');
    await search.pressSequentially('no contract is called this');
    await expect.poll(() => page.getByRole('status').textContent()).toBe('No contract fits');
    await search.fill('');
    await page.getByLabel('Status').selectOption({ label: 'Active' });
    await expect.poll(() => page.url()).toMatch(/\/contracts\?status=active$/);
    await expect.poll(() => page.getByRole('status').textContent()).toMatch(/^\d+ are shown\.$|^One is shown\.$/);
    expect(await isSame(page)).toBe(true);
    await page.reload();
    expect(await page.getByLabel('Status').inputValue()).toBe('active');
  });

  it('a user whose session ends during a search is sent to sign in and returned to it', async () => {
    const page = await pageAt('/contracts');
    await page.context().clearCookies();
    await page.getByLabel('Search').pressSequentially('design');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.getByLabel('Email address').fill(email);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    expect(await page.getByLabel('Search').inputValue()).toBe('design');
  });

  it('a row is added to a draft without leaving the page, and the input stays', async () => {
    const page = await newDraft('By steps', 'contractor_milestone');
    await page.evaluate('document.title += " (the same page)"');
    const titles = page.locator('#milestones').getByLabel('Title');
    // The first row is there already.
    await titles.fill('Step 1');
    await page.locator('#milestones').getByRole('button', { name: 'Add a row' }).click();
    await page.getByRole('group', { name: 'Milestone 2' }).waitFor();
    await page.keyboard.type('Step 2');
    expect(await Promise.all([0, 1].map((n) => titles.nth(n).inputValue()))).toEqual(['Step 1', 'Step 2']);
    // A row that takes its time: what is typed meanwhile stays, and so does the focus.
    await page.route('**/edit', async (route) => {
      await sleep(500);
      await route.continue();
    });
    await page.locator('#milestones').getByRole('button', { name: 'Add a row' }).click();
    await titles.first().fill('Typed meanwhile');
    await page.getByRole('group', { name: 'Milestone 3' }).waitFor();
    expect(await titles.first().inputValue()).toBe('Typed meanwhile');
    expect(await titles.first().evaluate(hasFocus)).toBe(true);
    expect(await isSame(page)).toBe(true);
  });

  it('a row is added once, also where a colleague has saved one meanwhile', async () => {
    const page = await newDraft('By two people', 'contractor_milestone');
    const other = await page.context().newPage();
    await other.goto(page.url());
    for (const [tab, title] of [
      [page, 'Mine'],
      [other, 'Theirs'],
    ] as const) {
      await tab.locator('#milestones').getByLabel('Title').fill(title);
      await tab.locator('#milestones').getByLabel('Amount').fill('500');
    }
    await other.getByRole('button', { name: 'Save and continue' }).click();
    await other.waitForURL(/\/worker$/);
    await page.locator('#milestones').getByRole('button', { name: 'Add a row' }).click();
    await page.getByRole('group', { name: 'Milestone 3' }).waitFor();
    const titles = page.locator('#milestones').getByLabel('Title');
    expect(await Promise.all((await titles.all()).map((each) => each.inputValue()))).toEqual(['Mine', '']);
  });

  it('a draft that was drawn again with other fields is not left without a question, unless nothing was typed', async () => {
    const page = await newDraft('Other fields', 'contractor_payg');
    const dialogs: string[] = [];
    page.on('dialog', (dialog) => {
      dialogs.push(dialog.type());
      void dialog.accept();
    });
    const other = page.getByRole('button', { name: 'Show the fields of all kinds of contracts' });
    const back = page.getByRole('link', { name: 'Back to the contract' });
    const edit = page.url();
    await other.click();
    await page.getByLabel('Annual salary').waitFor();
    await back.click();
    await page.waitForURL(/\/contracts\/[^/]+$/);
    expect(dialogs).toEqual([]);
    await page.goto(edit);
    await page.getByLabel('What the work is').fill('Typed and unsent');
    await other.click();
    await page.getByLabel('Annual salary').waitFor();
    await back.click();
    await page.waitForURL(/\/contracts\/[^/]+$/);
    expect(dialogs).toEqual(['beforeunload']);
  });

  it('a page is not left without a question while something typed there is unsent', async () => {
    const page = await newDraft('Left half-way', 'contractor_payg');
    const dialogs: string[] = [];
    let answer: 'accept' | 'dismiss' = 'dismiss';
    page.on('dialog', (dialog) => {
      dialogs.push(dialog.type());
      void dialog[answer]();
    });
    const title = page.getByLabel('Title', { exact: true }).first();
    const back = page.getByRole('link', { name: 'Back to the contract' });
    await title.fill('Typed and unsent');
    await back.click();
    await expect.poll(() => dialogs).toEqual(['beforeunload']);
    expect(await title.inputValue()).toBe('Typed and unsent');
    await page.getByRole('button', { name: 'Save', exact: true }).first().click();
    await page.getByText('Saved').first().waitFor();
    await title.fill('Typed again');
    answer = 'accept';
    await back.click();
    await page.waitForURL(/\/contracts\/[^/]+$/);
    expect(dialogs).toEqual(['beforeunload', 'beforeunload']);
    await page.getByText('Typed and unsent').first().waitFor();
  });

  it('keys move through the queue and select; the selection shows its total and is approved', async () => {
    const page = await pageAt('/review');
    const boxes = page.getByRole('checkbox');
    const told = page.locator('#chosen').getByRole('status');
    await keyboard(page).reach(boxes.first());
    await page.keyboard.press('x');
    expect(await told.textContent()).toMatch(/^1 selected: [\d,.]+ [A-Z]{3}$/);
    for (const key of 'jxjkk') await page.keyboard.press(key);
    expect(await boxes.first().evaluate(hasFocus)).toBe(true);
    expect(await told.textContent()).toMatch(/^2 selected: /);
    await page.keyboard.press('x');
    expect(await told.textContent()).toMatch(/^1 selected: /);
    expect(await isSame(page)).toBe(true);
    await page.keyboard.press('a');
    await page.getByRole('heading', { name: 'Approve 1 piece of work?' }).waitFor();
    await page.goto(addressOf('/review'));
    await keyboard(page).reach(boxes.first());
    await page.keyboard.press('r');
    await page.waitForURL(/\/review\/(timesheet|milestone)\//);
    expect(await page.getByRole('button', { name: 'Reject', exact: true }).count()).toBe(1);
    expect(await page.getByLabel('Reason').evaluate(hasFocus)).toBe(true);
  });

  it('a piece that is deselected in a selected group is not approved with it', async () => {
    const page = await pageAt('/review?group=worker');
    const group = page.getByRole('checkbox', { name: 'Select all of' });
    const piece = page.locator('main tbody').getByRole('checkbox').first();
    await group.first().check();
    expect(await piece.isChecked()).toBe(true);
    await piece.uncheck();
    expect(await group.first().isChecked()).toBe(false);
    const left = (await page.locator('main tbody').getByRole('checkbox').count()) - 1;
    await page.getByRole('button', { name: 'Approve selected' }).click();
    await page.getByRole('heading', { name: `Approve ${left} piece` }).waitFor();
    await page.goto(addressOf('/review?group=worker'));
    await piece.check();
    expect(await group.first().isChecked()).toBe(left === 0);
  });

  it('the second click of a slow double click does not approve the piece that the first one has led to', async () => {
    const contractId = await activeContract(system.access());
    const { id } = await submittedTimesheet(system.access(), contractId);
    for (let n = 0; n < 4; n++) await submittedTimesheet(system.access(), contractId);
    const page = await pageAt(`/review/timesheet/${id}`);
    const approve = page.getByRole('button', { name: 'Approve and open the next' });
    await approve.click();
    await page.waitForURL((url) => !url.href.endsWith(id));
    // From the second piece on, the button stays where it is.
    const { x, y, width, height } = (await approve.boundingBox())!;
    const click = () => page.mouse.click(x + width / 2, y + height / 2);
    // However slow the machine is, the first click comes after the time of a double click, and the second within it.
    const all = (act: 'pause' | 'finish') => `document.getAnimations().forEach((each) => each.${act}())`;
    await page.evaluate(all('finish'));
    await page.addInitScript(`addEventListener('load', () => ${all('pause')})`);
    await Promise.all([page.waitForEvent('load'), click()]);
    const address = page.url();
    expect(await approve.boundingBox()).toEqual({ x, y, width, height });
    await click();
    await sleep(500);
    expect(page.url()).toBe(address);
    await page.evaluate(all('finish'));
    await approve.click();
    await page.waitForURL((url) => url.href !== address);
  });

  it('the key j focuses the list from anywhere except a text field', async () => {
    const page = await pageAt('/review');
    await page.keyboard.press('j');
    expect(await page.getByRole('checkbox').first().evaluate(hasFocus)).toBe(true);
    await page.getByLabel('Kind').focus();
    await page.keyboard.press('j');
    expect(await page.getByLabel('Kind').evaluate(hasFocus)).toBe(true);
  });

  it('the error summary of a form receives the focus', async () => {
    const page = await pageAt('/contracts/new');
    await page.getByRole('button', { name: 'Create draft' }).click();
    await expect.poll(() => page.locator('.summary').evaluate(hasFocus)).toBe(true);
  });

  it('the notice after a form receives the focus', async () => {
    const page = await pageAt('/contracts/new');
    await page.getByLabel('Title').fill('Focused');
    await page.getByRole('button', { name: 'Create draft' }).click();
    await page.getByText('The draft is created.').waitFor();
    await expect.poll(() => page.getByRole('status').first().evaluate(hasFocus)).toBe(true);
  });

  it('the menu of a narrow screen closes once the keyboard leaves it', async () => {
    const page = await pageAt('/review');
    await page.setViewportSize({ width: 320, height: 640 });
    await page.getByRole('button', { name: 'Menu', exact: true }).click();
    const links = page.getByRole('navigation', { name: 'Workspace' }).getByRole('link');
    await links.last().focus();
    expect(await links.last().isVisible()).toBe(true);
    await page.keyboard.press('Tab');
    await expect.poll(() => links.last().isVisible()).toBe(false);
  });

  it('pages are no wider than the window, and the side bar shows each section on its own line', async () => {
    const worker = await ask<Worker>(system.access(), REGISTER_WORKER, {
      name: 'W'.repeat(200),
      email: 'w@people.example',
    });
    const title = 'T'.repeat(200);
    const contract = await contractIn(system.access(), worker, hourly(title, 'EUR', '50'), 'active');
    await submittedTimesheet(system.access(), contract);
    const page = await pageAt('/review');
    for (const path of ['/review', '/contracts', `/contracts/${contract}`, '/workers', '/activity', '']) {
      await page.goto(addressOf(path));
      const width = await page.evaluate<number>('document.documentElement.scrollWidth');
      expect([path, width]).toEqual([path, LOOKS.light.viewport.width]);
    }
    const rooms = await page
      .locator('.sections li')
      .evaluateAll((items) => items.map((item) => (item as unknown as Box).getBoundingClientRect()));
    expect(rooms.length).toBeGreaterThan(11);
    expect(new Set(rooms.map(({ left }) => left)).size).toBe(1);
    for (const { right, height } of rooms) expect([right < 300, height < 50]).toEqual([true, true]);
  });

  it('the total of a selection in several currencies is on a narrow screen in full', async () => {
    const worker = await ask<Worker>(system.access(), REGISTER_WORKER, { name: 'Ada', email: 'ada@people.example' });
    for (const currency of ['CHF', 'GBP', 'USD']) {
      const contract = await contractIn(system.access(), worker, hourly(`In ${currency}`, currency, '50'), 'active');
      await submittedTimesheet(system.access(), contract);
    }
    const page = await pageAt('/review?select=all');
    await page.setViewportSize({ width: 320, height: 800 });
    await page.locator('#chosen').getByText('selected: ').waitFor();
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(320);
  });
});

/** Runs in the browser. */
interface Box {
  getBoundingClientRect: () => Record<'left' | 'right' | 'height', number>;
}
