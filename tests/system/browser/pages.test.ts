import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AdmissionPeer, createConnectionAdmission } from '@payroll/admission';
import pg from 'pg';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { beginSignIn } from '@payroll/tools/browser/assistant';
import { LOOKS, startChromium, type Look } from '@payroll/tools/browser/chromium';
import { faultsOf, unreachable } from './faults.js';
import { describeInChromium } from './in-chromium.js';
import { tour } from '@payroll/tools/browser/tour';
import { runWorkspacesCommand } from '@payroll/tools/demo/operator';
import { startAssistant } from './assistant-server.js';
import { newMember } from '@payroll/tools/demo/people';
import { seedDemo } from '@payroll/tools/demo/seed';
import { ownerOf, type Owner } from '../owner.js';
import { startSystem, type System } from '../support.js';

/** Covers over sixty pages, on a machine that may be busy. */
const TIMEOUT_MS = 300_000;

describeInChromium('the pages', { timeout: TIMEOUT_MS }, (executable) => {
  let system: System;
  let browser: Browser;
  let database: Owner['database'];
  const started = new AsyncDisposableStack();

  beforeAll(async () => {
    system = started.use(await startSystem(seedDemo));
    ({ database } = started.use(await ownerOf(system)));
    browser = started.adopt(await startChromium(executable), (open) => open.close());
  });
  afterAll(async () => await started.disposeAsync());
  // Each walk signs in often, sometimes wrongly, from one address.
  beforeEach(async () => void (await database.query('delete from workspaces.sign_in_counter')));

  const userOf = (role: string) => system.workspaces[0].users!.find((user) => user.role === role)!;

  /** A new browser context; its console's complaints, such as violations of the content policy, are collected. */
  async function newPage(options: BrowserContextOptions, complaints: string[] = []): Promise<Page> {
    const page = await (await browser.newContext(options)).newPage();
    page.on('console', (message) => {
      // A refused form answers with a status that Chromium reports as an error.
      if (message.type() === 'error' && !message.text().includes('status of 4')) complaints.push(message.text());
    });
    return page;
  }

  /** Takes the tour and collects the faults of each page. */
  async function walk(options: BrowserContextOptions, faultsIn: (page: Page) => Promise<string[]>): Promise<string[]> {
    const faults: string[] = [];
    const seen = new Set<string>();
    await tour({
      authUrl: system.stack.file.auth!.url,
      workspaceId: system.workspaces[0].id,
      admin: userOf('admin'),
      viewer: userOf('viewer'),
      newPage: () => newPage(options, faults),
      stop: async (name, page) => {
        seen.add(name);
        faults.push(...(await faultsIn(page)).map((fault) => `${name}: ${fault}`));
      },
    });
    expect(seen.size).toBeGreaterThan(60);
    return faults;
  }

  it.each(Object.keys(LOOKS) as Look[])(
    'pass axe on %s; no page violates its content policy or is wider than the screen',
    async (look) => expect(await walk(LOOKS[look], faultsOf)).toEqual([]),
  );

  it('fit the screen at 200 % zoom without script, pass axe, and have every control in the tab order', async () => {
    const zoomed = { viewport: { width: 640, height: 450 }, deviceScaleFactor: 2, javaScriptEnabled: false };
    const faults = await walk(zoomed, async (page) => {
      // The page has loaded without scripts. axe itself needs them.
      const session = await page.context().newCDPSession(page);
      const disable = (value: boolean) => session.send('Emulation.setScriptExecutionDisabled', { value });
      for (const value of [true, false]) await disable(value);
      const found = [...(await faultsOf(page)), ...(await unreachable(page))];
      await disable(true);
      await session.detach();
      return found;
    });
    expect(faults).toEqual([]);
  });

  it('work by keyboard alone without JavaScript: signing in, a key for /v1, an invitation link', async () => {
    const page = await newPage({ javaScriptEnabled: false });
    await page.goto(system.stack.file.auth!.url);
    await tabTo(page, 'email');
    await page.keyboard.type(userOf('admin').email);
    await page.keyboard.press('Tab');
    await page.keyboard.type(userOf('admin').password);
    await enter(page);
    await follow(page, system.workspaces[0].name);
    await follow(page, 'API keys');
    await follow(page, 'Create a key');
    await tabTo(page, 'name');
    await page.keyboard.type('By keyboard');
    await tabTo(page, 'scopes-1');
    await page.keyboard.press('Space');
    await tabTo(page, 'Create key');
    await enter(page);
    await tabTo(page, 'once');
    const secret = await page.evaluate<string>('getSelection().toString()');
    expect(secret).toMatch(/^sk_test_/);
    expect(await system.rest(secret, 'GET', '/business')).toMatchObject({ status: 200 });
    expect(await system.rest(secret, 'POST', '/contracts', { title: 'By a key' })).toMatchObject({ status: 201 });
    await expectNowhere(system, secret.split('_')[3]!);

    await page.goto(`${system.stack.file.auth!.url}/workspaces/${system.workspaces[0].id}/members/invite`);
    await page.getByLabel('Name', { exact: true }).fill('Passed On');
    await page.getByLabel('Email address').fill('passed.on@example.com');
    await page.getByLabel('Viewer', { exact: true }).check();
    await page.getByLabel('by hand').check();
    await tabTo(page, 'Create an invitation');
    await enter(page);
    const link = await page.getByLabel('Invitation link').inputValue();
    await expectNowhere(system, link.split('/invitations/')[1]!);
  });

  it('connect an assistant by keyboard alone without JavaScript, until the connection is revoked', async () => {
    const { stack, workspaces } = system;
    const { email, password } = userOf('admin');
    // A member of two workspaces, who has to choose one: with one workspace the page does not ask.
    await newMember(system.access(workspaces[1]), 'viewer', email);
    await runWorkspacesCommand(stack, ['set-password', '--email', email], password);
    await using assistant = await startAssistant();
    const signIn = await beginSignIn(stack.file.auth!.url, `${assistant.url}/callback`);

    const page = await newPage({ javaScriptEnabled: false });
    await page.goto(signIn.url);
    await tabTo(page, 'email');
    await page.keyboard.type(email);
    await page.keyboard.press('Tab');
    await page.keyboard.type(password);
    await enter(page);
    expect(await page.title()).toContain('Choose a workspace');
    // axe needs JavaScript, so it checks the page in a second window of the same person.
    const looking = await newPage({ storageState: await page.context().storageState() });
    await looking.goto(signIn.url);
    expect(await looking.title()).toContain('Choose a workspace');
    expect(await faultsOf(looking)).toEqual([]);
    await tabTo(page, 'workspace');
    await choose(page, workspaces[0].name);
    await follow(page, 'Continue');
    await follow(page, `Enable it for ${workspaces[0].name} and connect`);
    await page.waitForURL(`${assistant.page}/**`);
    const arrived = new URL(page.url());
    expect(arrived.searchParams.get('iss')).toBe(stack.file.auth!.url);

    const token = await signIn.exchange(arrived.searchParams.get('code')!);
    const { ADMISSION_URL, ADMISSION_SECRET } = stack.environmentOf('mcp');
    await using peer = new AdmissionPeer({ url: ADMISSION_URL!, secret: ADMISSION_SECRET! });
    const admission = createConnectionAdmission(peer);
    const clientAddress = '192.0.2.7';
    const { assertion, role, workspaceId } = await admission.admit(token, { clientAddress });
    expect([role, workspaceId]).toEqual(['admin', workspaces[0].id]);
    expect(await system.rest(token, 'GET', '/business')).toMatchObject({ status: 401 });
    expect(await system.rest(assertion, 'GET', '/business')).toMatchObject({ status: 200, body: { id: workspaceId } });
    const draft = { title: 'By an assistant' };
    const intent = randomUUID();
    const first = await system.rest(assertion, 'POST', '/contracts', draft, intent);
    const { assertion: later } = await admission.admit(token, { clientAddress });
    const again = await system.rest(later, 'POST', '/contracts', draft, intent);
    expect([first.status, again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 201, 'true']);
    expect(again.body).toEqual(first.body);

    await page.goto(`${stack.file.auth!.url}/workspaces/${workspaceId}/connections`);
    await follow(page, 'End An assistant for Ada Admin');
    expect(await system.rest(later, 'GET', '/business')).toMatchObject({ status: 401 });
    await expect(admission.admit(token, { clientAddress })).rejects.toThrow('Sign in again');
  });
});

/** Presses Tab until the element with this id or text has the focus. @throws Error if it never has. */
async function tabTo(page: Page, wanted: string): Promise<void> {
  for (let presses = 0; presses < 40; presses += 1) {
    await page.keyboard.press('Tab');
    const at = await page.evaluate<string[]>('[document.activeElement.id, document.activeElement.textContent.trim()]');
    if (at.includes(wanted)) return;
  }
  throw new Error(`The keyboard does not reach ${wanted} on ${page.url()}`);
}

/** Selects one of the radio buttons of the focused group with the arrow keys. */
async function choose(page: Page, label: string): Promise<void> {
  const isChosen = page.getByRole('radio', { name: label });
  for (let presses = 0; presses < 5 && !(await isChosen.isChecked()); presses += 1) {
    await page.keyboard.press('ArrowDown');
  }
}

async function follow(page: Page, link: string): Promise<void> {
  await tabTo(page, link);
  await enter(page);
}

/** Presses Enter and waits for the page that follows. */
async function enter(page: Page): Promise<void> {
  const arrived = page.waitForEvent('load');
  await page.keyboard.press('Enter');
  await arrived;
}

/** Expects the secret in no log and in no row of any schema. */
async function expectNowhere({ stack }: System, secret: string): Promise<void> {
  const logs = join(stack.dir, 'logs');
  for (const file of readdirSync(logs)) expect(readFileSync(join(logs, file), 'utf8')).not.toContain(secret);
  const client = new pg.Client(stack.file.postgres.url);
  await client.connect();
  try {
    const tables = await client.query<{ schema: string; name: string }>(`
      select table_schema as schema, table_name as name from information_schema.tables
      where table_schema not in ('pg_catalog', 'information_schema') and table_type = 'BASE TABLE'`);
    expect(tables.rows.length).toBeGreaterThan(50);
    for (const { schema, name } of tables.rows) {
      const found = await client.query(`select 1 from "${schema}"."${name}" t where t::text like $1`, [`%${secret}%`]);
      expect([schema, name, found.rowCount]).toEqual([schema, name, 0]);
    }
  } finally {
    await client.end();
  }
}
