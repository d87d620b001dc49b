import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { LOOKS, startChromium } from '@payroll/tools/browser/chromium';
import { ownerOf } from '../owner.js';
import { joinSystem, type System } from '../support.js';
import { faultsOf, unreachable } from './faults.js';
import { type Hand, keyboard, pointer } from './hands.js';
import { describeInChromium, looks } from './in-chromium.js';
import { newPeople, PASSWORD } from './visitor.js';

/** A walk passes fifteen pages, on a machine that may be busy. */
const TIMEOUT_MS = 300_000;

describeInChromium('the pages of an account', { timeout: TIMEOUT_MS }, (executable) => {
  let system: System;
  let browser: Browser;
  const started = new AsyncDisposableStack();
  beforeAll(async () => {
    system = await joinSystem();
    browser = started.adopt(await startChromium(executable), (open) => open.close());
  });
  afterAll(() => started.disposeAsync());
  // All walks have one client address, whose mails are limited.
  beforeEach(async () => {
    await using owner = await ownerOf(system);
    await owner.database.query('delete from workspaces.sign_in_counter');
  });

  /** The link of the newest mail to that address whose subject begins so. */
  async function linkTo(email: string, subject: string): Promise<string> {
    const find = async (): Promise<string | undefined> => {
      const html = await (await fetch(system.stack.file.mail!.url)).text();
      const mail = html
        .split('<article>')
        .find((one) => one.includes(`<h2>${subject}`) && one.includes(`To ${email},`));
      return /href="([^"]*)"/.exec(mail ?? '')?.[1];
    };
    await expect.poll(find, { timeout: 20_000 }).toBeDefined();
    return (await find())!;
  }

  /** Changes the address of a new person, takes it back, closes the account and keeps it, and stops at each page. */
  async function walk(way: BrowserContextOptions, handOn: (page: Page) => Hand, stop: (page: Page) => Promise<void>) {
    const { email } = (await newPeople(system, system.workspaces[0])).viewer;
    const page = await (await browser.newContext(way)).newPage();
    page.setDefaultTimeout(15_000);
    const hand = handOn(page);
    const account = new URL('/account', system.stack.file.app!.url).href;
    const signIn = async (password: string): Promise<void> => {
      await hand.fill(page.getByLabel('Email address'), email);
      await hand.fill(page.getByLabel('Password'), password);
      await hand.press(page.getByRole('button', { name: 'Sign in', exact: true }));
    };
    const press = async (role: 'link' | 'button', name: string): Promise<void> => {
      await hand.press(page.getByRole('main').getByRole(role, { name, exact: true }));
      await stop(page);
    };
    const said = async (text: string) => expect(await page.getByRole('status').textContent()).toContain(text);

    await page.goto(account);
    await signIn(PASSWORD);
    await press('link', 'Change the email address');
    await hand.fill(page.getByLabel('New email address'), 'no address');
    await press('button', 'Send the link');
    const next = `${crypto.randomUUID()}@people.example`;
    await hand.fill(page.getByLabel('New email address'), next);
    await press('button', 'Send the link');
    await said('A link is on its way');
    await page.goto(await linkTo(next, 'Confirm your new'));
    await stop(page);
    await press('button', 'Change the address');
    await said(`Your address is ${next} now`);

    await page.goto(await linkTo(email, 'The email address of your account was changed'));
    await stop(page);
    await press('button', 'Restore the address');
    await said('Your address is restored');
    await page.goto(await linkTo(email, 'Choose a new password'));
    const password = 'seven lanterns under oak';
    await hand.fill(page.getByLabel('New password'), password);
    await hand.fill(page.getByLabel('Repeat the password'), password);
    await press('button', 'Set the password');

    await signIn(password);
    await page.goto(account);
    await press('link', 'Close the account');
    await press('button', 'Close the account');
    await said('Your account will be closed');
    const link = await linkTo(email, 'Your account will be closed');
    await page.goto(link);
    await stop(page);
    await press('button', 'Keep the account');
    await page.goto(link);
    expect(await page.title()).toContain('no longer open');
    await stop(page);
    await page.goto(new URL('/account/close', account).href);
    await press('button', 'Close the account');
    await press('button', 'Keep the account');
    await said('Your account stays');
    await page.context().close();
  }

  it('work on a phone by keyboard alone with script off', async () => {
    await walk({ ...LOOKS.phone, javaScriptEnabled: false }, keyboard, () => Promise.resolve());
  });

  it.each(looks)('pass axe on %s, fit the screen and have every control in the tab order', async (_name, look) => {
    await walk(look, pointer, async (page) => {
      expect([page.url(), ...(await faultsOf(page)), ...(await unreachable(page))]).toEqual([page.url()]);
    });
  });
});
