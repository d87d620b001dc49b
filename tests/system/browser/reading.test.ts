import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { LOOKS, startChromium, type Look } from '@payroll/tools/browser/chromium';
import { faultsOf } from './faults.js';
import { describeInChromium } from './in-chromium.js';
import { seedDemo } from '@payroll/tools/demo/seed';
import { startSystem, type System } from '../support.js';

const looks = Object.keys(LOOKS) as Look[];

describeInChromium('pages that explain', { timeout: 120_000 }, (executable) => {
  let system: System;
  let browser: Browser;
  const started = new AsyncDisposableStack();

  beforeAll(async () => {
    system = started.use(await startSystem(seedDemo));
    browser = started.adopt(await startChromium(executable), (open) => open.close());
  });
  afterAll(async () => await started.disposeAsync());

  /** Opens a page, and collects its console's complaints and the statuses of the internal endpoint. */
  async function visit(look: Look, url: string): Promise<{ page: Page; complaints: string[]; answers: number[] }> {
    const page = await (await browser.newContext(LOOKS[look])).newPage();
    const complaints: string[] = [];
    const answers: number[] = [];
    page.on('console', (message) => void (message.type() === 'error' && complaints.push(message.text())));
    page.on('response', (response) => void (response.url().endsWith('/graphql') && answers.push(response.status())));
    await page.goto(url);
    return { page, complaints, answers };
  }

  const reference = (): string => `${system.stack.file.rest.url}/docs`;

  /** One page of each kind. */
  const kinds = ['', '/guides/approve-safely', '/operations/createContract', '/objects', '/errors', '/search?q=money'];

  it.each(looks)('the reference passes axe on %s and is no wider than the screen', async (look) => {
    for (const kind of kinds) {
      const { page, complaints } = await visit(look, reference() + kind);
      expect([kind, ...(await faultsOf(page)), ...complaints]).toEqual([kind]);
      await page.close();
    }
  });

  it.each(looks)('the reference can be navigated without scripts on %s', async (look) => {
    const page = await (await browser.newContext({ ...LOOKS[look], javaScriptEnabled: false })).newPage();
    await page.goto(reference());
    if (look === 'phone') await page.getByText('Contents', { exact: true }).click();
    await page.getByRole('navigation').getByText('Approve a timesheet').click();
    await page.getByRole('link', { name: 'STALE_RESOURCE_VERSION' }).click();
    expect(await page.getByRole('heading', { name: 'STALE_RESOURCE_VERSION' }).isVisible()).toBe(true);
    await page.getByRole('searchbox').fill('failureReason');
    await page.getByRole('searchbox').press('Enter');
    await page.getByRole('link', { name: 'Objects: Payment' }).click();
    expect(await page.getByText('Of a failed payment.').isVisible()).toBe(true);
  });

  it('the reference can be read with the keyboard alone', async () => {
    const { page } = await visit('light', reference());
    // The skip link leads past the contents.
    for (const key of ['Tab', 'Enter']) await page.keyboard.press(key);
    expect(await page.evaluate('document.activeElement.id')).toBe('main');
  });

  it.each(looks)('the explorer opens on %s with explained fields and without errors', async (look) => {
    const explorer = new URL('/explorer/', system.stack.file.graphql.url).href;
    const { page, complaints, answers } = await visit(look, explorer);
    await expect.poll(() => answers).toContain(200);
    await expect.poll(() => page.getByText('The answer will be here').count()).toBeGreaterThan(0);
    expect(new Set(answers)).toEqual(new Set([200]));
    expect(complaints).toEqual([]);
    expect(await page.getByText('my friend').count()).toBe(0);
  });
});
