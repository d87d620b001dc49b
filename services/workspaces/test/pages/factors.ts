import { totpCode } from '@payroll/tools/demo/person';
import { sql } from 'kysely';
import type { Browser, Page } from './browser.js';
import { PASSWORD, type Site } from './site.js';

/** The code of an authenticator app, by a clock that is that many steps ahead. */
export const codeOf = (secret: string, steps = 0): string => totpCode(secret, Date.now() + steps * 30_000);

export const secretIn = ({ html }: Page): string => /id="once"[^>]*value="([A-Z2-7]{32})"/.exec(html)![1]!;

export const recoveryCodesIn = ({ html }: Page): string[] => html.match(/[A-Z2-7]{4}(-[A-Z2-7]{4}){3}/g) ?? [];

/** As if the last code had been used long ago. */
export const forgetStep = ({ workspaces }: Site, accountId: string): Promise<unknown> =>
  sql`update second_factor set last_step = 0 where account_id = ${accountId}`.execute(workspaces.em.getKysely());

/** A new account, signed in at the form that sets its second factor up. */
export async function settingUp(site: Site, browser = site.browser()) {
  const { id: accountId, email } = await site.account();
  await browser.signIn(email, PASSWORD);
  const form = await browser.get('/account/second-factor');
  return { accountId, email, browser, form, secret: secretIn(form) };
}

export interface Owner {
  accountId: string;
  email: string;
  browser: Browser;
  secret: string;
  recoveryCodes: string[];
}

/** An account with a second factor whose code of this moment counts, signed in where it was set up. */
export async function factorOwner(site: Site, browser = site.browser()): Promise<Owner> {
  const { form, ...account } = await settingUp(site, browser);
  const made = await browser.submit(form, '/account/second-factor', { code: codeOf(account.secret) });
  await forgetStep(site, account.accountId);
  return { ...account, recoveryCodes: recoveryCodesIn(made) };
}
