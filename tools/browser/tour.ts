import type { Page } from 'playwright-core';
import { beginSignIn } from './assistant.js';
import { totpCode } from '../demo/person.js';
import { seeLinked } from './links.js';

interface Guest {
  email: string;
  password: string;
}

/** Where the tour goes and what it does at each stop, such as looking for faults or taking a picture. */
export interface Tour {
  authUrl: string;
  workspaceId: string;
  admin: Guest;
  viewer: Guest;
  /** A page of a fresh browser context. */
  newPage: () => Promise<Page>;
  stop: (name: string, page: Page) => Promise<void>;
}

/** Visits every page and every kind of mistake. Reverts what it creates. */
export async function tour(plan: Tour): Promise<void> {
  const page = await plan.newPage();
  await seeSignIn(plan, page);
  await seeLinked(plan, page);
  await seeSignInAgain(plan);
  await seeKeys(plan, page);
  await seeMembers(plan, page);
  await seeRest(plan, page);
  await seeSecondFactor(plan);
  const { url: request } = await beginSignIn(plan.authUrl, 'http://127.0.0.1:9/callback');
  await see(plan, page, request, 'consent');
  const stranger = await plan.newPage();
  await signIn(plan, stranger, plan.viewer);
  await see(plan, stranger, room(plan, '/keys'), 'forbidden');
  await see(plan, stranger, request, 'consent-refused');
  await see(plan, stranger, request.replace('client_id=', 'client_id=x'), 'request-refused');
  await see(plan, stranger, request.replace('=S256', '=plain'), 'request-impossible');
}

export async function signIn({ authUrl }: Pick<Tour, 'authUrl'>, page: Page, guest: Guest): Promise<void> {
  await page.goto(`${authUrl}/sign-in`);
  await fillInSignIn(page, guest);
}

async function fillInSignIn(page: Page, { email, password }: Guest): Promise<void> {
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password').fill(password);
  await press(page, 'Sign in');
}

async function seeSignIn(plan: Tour, page: Page): Promise<void> {
  await see(plan, page, `${plan.authUrl}/sign-in`, 'sign-in');
  await see(plan, page, `${plan.authUrl}/forgot-password`, 'forgot-password');
  await page.getByLabel('Email address').fill('nobody@example.com');
  await submit(plan, page, 'Send the link', 'forgot-password-sent');
  await signIn(plan, page, { ...plan.admin, password: 'not this one' });
  await plan.stop('sign-in-wrong', page);
  await signIn(plan, page, plan.admin);
  await plan.stop('workspaces', page);
  await see(plan, page, room(plan, ''), 'overview');
}

/** A password confirmation lasts ten minutes and a session may be lost: the pages on which people authenticate again. */
async function seeSignInAgain(plan: Tour): Promise<void> {
  const page = await plan.newPage();
  await signIn(plan, page, plan.admin);
  await see(plan, page, `${plan.authUrl}/sign-in/again`, 'confirm-password');
  await page.getByLabel('Password').fill('not this one');
  await submit(plan, page, 'Continue', 'confirm-password-wrong');
  await page.goto(room(plan, '/members/invite'));
  await page.getByLabel('Name', { exact: true }).fill('Nora Newcomer');
  await page.context().clearCookies();
  await submit(plan, page, 'Create an invitation', 'sign-in-to-go-on');
  await fillInSignIn(page, plan.admin);
  await plan.stop('filled-in-again', page);
}

async function seeKeys(plan: Tour, page: Page): Promise<void> {
  await page.goto(room(plan, '/keys/new'));
  await page.getByLabel('read').uncheck();
  await submit(plan, page, 'Create key', 'key-new-wrong');
  await page.getByLabel('Name').fill('Tour');
  await page.getByLabel('read').check();
  await submit(plan, page, 'Create key', 'key-made');
  await page.getByRole('link', { name: 'I have saved the key' }).click();
  await page.getByRole('link', { name: 'Rotate Tour' }).first().click();
  await plan.stop('key-rotate', page);
  await page.goto(room(plan, '/keys'));
  await page.getByRole('link', { name: 'Revoke Tour' }).first().click();
  await plan.stop('key-revoke', page);
  await submit(plan, page, 'Revoke the key', 'key-revoked');
}

async function seeMembers(plan: Tour, page: Page): Promise<void> {
  await see(plan, page, room(plan, '/members/invite'), 'invite');
  await submit(plan, page, 'Create an invitation', 'invite-wrong');
  await page.getByLabel('Name', { exact: true }).fill('Nora Newcomer');
  await page.getByLabel('Email address').fill('nora@example.com');
  await page.getByLabel('Member', { exact: true }).check();
  await page.getByLabel('by hand').check();
  await submit(plan, page, 'Create an invitation', 'invitation-made');
  await seeInvitation(plan, await page.getByLabel('Invitation link').inputValue());
  await see(plan, page, room(plan, '/members'), 'members');
  await page.getByRole('link', { name: /^Change role of Max/ }).click();
  await plan.stop('role', page);
  await page.goto(room(plan, '/members'));
  await page.getByRole('link', { name: /^Remove Max/ }).click();
  await plan.stop('remove', page);
  await page.goto(room(plan, '/members'));
  await page.getByRole('link', { name: 'Leave' }).click();
  await submit(plan, page, 'Leave the workspace', 'last-admin');
  await page.goto(room(plan, '/members'));
  await page.getByRole('link', { name: /^Withdraw .* Nora/ }).click();
  await plan.stop('take-back', page);
  await press(page, 'Withdraw the invitation');
}

async function seeInvitation(plan: Tour, link: string): Promise<void> {
  const page = await plan.newPage();
  await see(plan, page, link, 'accept');
  await page.getByLabel('New password').fill('passwordpassword');
  await submit(plan, page, 'Create the account and join', 'accept-wrong');
  await see(plan, page, `${link}x`, 'invitation-over');
}

async function seeRest(plan: Tour, page: Page): Promise<void> {
  await see(plan, page, `${plan.authUrl}/account`, 'account');
  await page.goto(`${plan.authUrl}/account/password`);
  await page.getByLabel('Current password').fill('not this one');
  await submit(plan, page, 'Change the password', 'password-wrong');
  await see(plan, page, `${plan.authUrl}/account/mail`, 'mail-choices');
  await see(plan, page, `${plan.authUrl}/account/address`, 'address');
  await page.getByLabel('New email address').fill('no address');
  await submit(plan, page, 'Send the link', 'address-wrong');
  await see(plan, page, `${plan.authUrl}/account/address/x`, 'address-link-over');
  await see(plan, page, `${plan.authUrl}/account/close`, 'close-only-admin');
  await see(plan, page, `${plan.authUrl}/nowhere`, 'not-found');
}

async function seeSecondFactor(plan: Tour): Promise<void> {
  const page = await plan.newPage();
  await signIn(plan, page, plan.viewer);
  await see(plan, page, `${plan.authUrl}/account/second-factor`, 'second-factor-new');
  const key = await page.getByLabel('Key', { exact: true }).inputValue();
  const giveCode = async (code: string, button: string, name: string): Promise<void> => {
    await page.getByLabel('Code', { exact: true }).fill(code);
    await submit(plan, page, button, name);
  };
  await giveCode('wrong', 'Set it up', 'second-factor-wrong');
  await giveCode(totpCode(key), 'Set it up', 'recovery-codes');
  await page.getByRole('link', { name: 'I have kept them' }).click();
  await press(page, 'Sign out everywhere');
  await signIn(plan, page, plan.viewer);
  await plan.stop('sign-in-code', page);
  await giveCode('wrong', 'Sign in', 'sign-in-code-wrong');
  // The code of now is used.
  await giveCode(totpCode(key, Date.now() + 30_000), 'Sign in', 'signed-in-with-code');
  await see(plan, page, `${plan.authUrl}/sign-in/again`, 'confirm-with-code');
  await see(plan, page, `${plan.authUrl}/account/second-factor`, 'second-factor');
  await page.getByRole('link', { name: 'Remove the second factor' }).click();
  await plan.stop('second-factor-remove', page);
  await submit(plan, page, 'Remove it', 'second-factor-removed');
  await see(plan, page, `${plan.authUrl}/account/close`, 'close-account');
  await submit(plan, page, 'Close the account', 'account-closing');
  await press(page, 'Keep the account');
  await see(plan, page, `${plan.authUrl}/keep-account/x`, 'stop-link-over');
}

async function see({ stop }: Tour, page: Page, url: string, name: string): Promise<void> {
  await page.goto(url);
  await stop(name, page);
}

async function submit({ stop }: Tour, page: Page, button: string, name: string): Promise<void> {
  await press(page, button);
  await stop(name, page);
}

async function press(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name, exact: true }).click();
}

function room({ authUrl, workspaceId }: Tour, path: string): string {
  return `${authUrl}/workspaces/${workspaceId}${path}`;
}
