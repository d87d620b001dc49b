import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { beginSignIn } from '@payroll/tools/browser/assistant';
import { startChromium } from '@payroll/tools/browser/chromium';
import { describeInChromium } from './in-chromium.js';
import { startAssistant } from './assistant-server.js';
import { startSystem, type System } from '../support.js';

describeInChromium('signing in', { timeout: 60_000 }, (executable) => {
  let system: System;
  let browser: Browser;
  let authUrl: string;
  const started = new AsyncDisposableStack();
  beforeAll(async () => {
    system = started.use(await startSystem());
    browser = started.adopt(await startChromium(executable), (open) => open.close());
    authUrl = system.stack.file.auth!.url;
  });
  afterAll(async () => await started.disposeAsync());

  const room = (path: string): string => `${authUrl}/workspaces/${system.workspaces[0].id}${path}`;

  async function fillInSignIn(page: Page): Promise<void> {
    const { email, password } = system.workspaces[0].users!.find(({ role }) => role === 'admin')!;
    await page.getByLabel('Email address').fill(email);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  }

  /** Signs in an admin in a new browser without JavaScript; its console's complaints are collected. */
  async function signedIn(complaints: string[] = []): Promise<Page> {
    const page = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
    page.on('console', (message) => {
      if (message.type() === 'error' && !message.text().includes('status of 4')) complaints.push(message.text());
    });
    await page.goto(`${authUrl}/sign-in`);
    await fillInSignIn(page);
    return page;
  }

  it('restores the input of a form whose session was lost, and does not send it by itself', async () => {
    const page = await signedIn();
    await page.goto(room('/members/invite'));
    await page.getByLabel('Name', { exact: true }).fill('Nora <Newcomer>');
    await page.getByLabel('Email address').fill('nora@example.com');
    await page.getByLabel('Member', { exact: true }).check();
    await page.getByLabel('by hand').check();
    await page.context().clearCookies();
    await page.getByRole('button', { name: 'Create an invitation' }).click();
    expect(await page.title()).toContain('Sign in to continue');
    expect(page.url()).not.toContain('nora');
    await fillInSignIn(page);
    expect(page.url()).toBe(room('/members/invite'));
    expect(await page.getByRole('status').textContent()).toContain('Nothing has been done yet.');
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Nora <Newcomer>');
    expect(await page.getByLabel('Email address').inputValue()).toBe('nora@example.com');
    expect(await page.getByLabel('Member', { exact: true }).isChecked()).toBe(true);
    await page.getByRole('button', { name: 'Create an invitation' }).click();
    expect(await page.title()).toContain('Invitation made');
    await page.goto(room('/members'));
    expect(await page.getByText('nora@example.com').count()).toBe(1);
  });

  it('the Integration page links to the reference, the OpenAPI document and the guide', async () => {
    const page = await signedIn();
    for (const name of ['reference', 'OpenAPI document', 'guide']) {
      await page.goto(room('/integration'));
      // The link to the guide redirects through the MCP server.
      const answer = page.waitForResponse(
        (response) => response.request().isNavigationRequest() && response.status() !== 302,
      );
      await page.getByRole('link', { name, exact: true }).click();
      expect([name, (await answer).status()]).toEqual([name, 200]);
    }
  });

  it('returns the code to an application on another loopback port than it registered', async () => {
    await using assistant = await startAssistant();
    const complaints: string[] = [];
    const signIn = await beginSignIn(authUrl, `${assistant.url}/callback`, 'http://127.0.0.1:9/callback');
    const page = await signedIn(complaints);
    await page.goto(signIn.url);
    await page
      .getByRole('button', { name: /connect$/i })
      .first()
      .click();
    await page.waitForURL(`${assistant.page}/**`);
    const arrived = new URL(page.url());
    expect(await signIn.exchange(arrived.searchParams.get('code')!)).toMatch(/^eyJ/);
    expect(complaints).toEqual([]);
  });

  it('returns the code to an application with a custom scheme', async () => {
    const complaints: string[] = [];
    const signIn = await beginSignIn(authUrl, 'cursor://anysphere.cursor-mcp/oauth/callback');
    const page = await signedIn(complaints);
    await page.goto(signIn.url);
    const resumed = page.waitForResponse((response) => {
      const isResumed = response.url().startsWith(`${authUrl}/oauth/authorize/`);
      return isResumed && response.headers()['location'] !== undefined;
    });
    await page
      .getByRole('button', { name: /connect$/i })
      .first()
      .click();
    const target = new URL((await resumed).headers()['location']!);
    expect(target.href).toMatch(/^cursor:\/\/anysphere\.cursor-mcp\/oauth\/callback\?/);
    expect(await signIn.exchange(target.searchParams.get('code')!)).toMatch(/^eyJ/);
    // No application on this machine handles the scheme, so the request fails; a violated policy would be reported
    // differently.
    expect(complaints.filter((each) => each.includes('Content Security Policy'))).toEqual([]);
  });

  it('does not redirect an invalid request until the person follows the link', async () => {
    await using assistant = await startAssistant();
    const signIn = await beginSignIn(authUrl, `${assistant.url}/callback`);
    const page = await signedIn();
    for (const wrong of [signIn.url.replace('=S256', '=plain'), `${signIn.url}&prompt=none`]) {
      await page.goto(wrong);
      expect(new URL(page.url()).origin).toBe(authUrl);
      await page.getByRole('link', { name: /^Report this to the application/ }).click();
      expect(page.url()).toMatch(new RegExp(`^${assistant.page}/signed-in\\?error=`));
    }
  });
});
