import type { Page } from 'playwright-core';
import { beginSignIn } from './assistant.js';

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
  /** A page of a browser that nobody has used. */
  newPage: () => Promise<Page>;
  stop: (name: string, page: Page) => Promise<void>;
}

/** Leads through every page and every kind of mistake. It takes back what it makes. */
export async function tour(plan: Tour): Promise<void> {
  const page = await plan.newPage();
  await seeSignIn(plan, page);
  await seeSignInAgain(plan);
  await seeKeys(plan, page);
  await seeMembers(plan, page);
  await seeRest(plan, page);
  const { url: request } = await beginSignIn(plan.authUrl, 'http://127.0.0.1:9/callback');
  await page.goto(request);
  await plan.stop('consent', page);
  const stranger = await plan.newPage();
  await signIn(plan, stranger, plan.viewer);
  await stranger.goto(room(plan, '/keys'));
  await plan.stop('forbidden', stranger);
  await stranger.goto(request);
  await plan.stop('consent-refused', stranger);
  await stranger.goto(request.replace('client_id=', 'client_id=x'));
  await plan.stop('request-refused', stranger);
  await stranger.goto(request.replace('=S256', '=plain'));
  await plan.stop('request-impossible', stranger);
}

async function signIn({ authUrl }: Tour, page: Page, { email, password }: Guest): Promise<void> {
  await page.goto(`${authUrl}/sign-in`);
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password').fill(password);
  await press(page, 'Sign in');
}

async function seeSignIn(plan: Tour, page: Page): Promise<void> {
  await page.goto(`${plan.authUrl}/sign-in`);
  await plan.stop('sign-in', page);
  await signIn(plan, page, { ...plan.admin, password: 'not this one' });
  await plan.stop('sign-in-wrong', page);
  await signIn(plan, page, plan.admin);
  await plan.stop('workspaces', page);
  await page.goto(room(plan, ''));
  await plan.stop('overview', page);
}

/** A password is good for ten minutes, and a session may be lost: the pages on which people prove again who they are. */
async function seeSignInAgain(plan: Tour): Promise<void> {
  const page = await plan.newPage();
  await signIn(plan, page, plan.admin);
  await page.goto(`${plan.authUrl}/sign-in/again`);
  await plan.stop('confirm-password', page);
  await page.getByLabel('Password').fill('not this one');
  await press(page, 'Go on');
  await plan.stop('confirm-password-wrong', page);
  await page.goto(room(plan, '/members/invite'));
  await page.getByLabel('Name', { exact: true }).fill('Nora Newcomer');
  await page.context().clearCookies();
  await press(page, 'Create an invitation');
  await plan.stop('sign-in-to-go-on', page);
  await page.getByLabel('E-mail address').fill(plan.admin.email);
  await page.getByLabel('Password').fill(plan.admin.password);
  await press(page, 'Sign in');
  await plan.stop('filled-in-again', page);
}

async function seeKeys(plan: Tour, page: Page): Promise<void> {
  await page.goto(room(plan, '/keys'));
  await plan.stop('keys', page);
  await page.goto(room(plan, '/keys/new'));
  await plan.stop('key-new', page);
  await page.getByLabel('read').uncheck();
  await press(page, 'Create key');
  await plan.stop('key-new-wrong', page);
  await page.getByLabel('Name').fill('Tour');
  await page.getByLabel('read').check();
  await press(page, 'Create key');
  await plan.stop('key-made', page);
  await page.getByRole('link', { name: 'I have saved the key' }).click();
  await page.getByRole('link', { name: 'Rotate Tour' }).first().click();
  await plan.stop('key-rotate', page);
  await page.goto(room(plan, '/keys'));
  await page.getByRole('link', { name: 'Revoke Tour' }).first().click();
  await plan.stop('key-revoke', page);
  await press(page, 'Revoke the key');
  await plan.stop('key-revoked', page);
}

async function seeMembers(plan: Tour, page: Page): Promise<void> {
  await page.goto(room(plan, '/members/invite'));
  await plan.stop('invite', page);
  await press(page, 'Create an invitation');
  await plan.stop('invite-wrong', page);
  await page.getByLabel('Name', { exact: true }).fill('Nora Newcomer');
  await page.getByLabel('E-mail address').fill('nora@example.com');
  await page.getByLabel('member', { exact: true }).check();
  await press(page, 'Create an invitation');
  await plan.stop('invitation-made', page);
  await seeInvitation(plan, await page.getByLabel('Invitation link').inputValue());
  await page.goto(room(plan, '/members'));
  await plan.stop('members', page);
  await page.getByRole('link', { name: /^Change role of Max/ }).click();
  await plan.stop('role', page);
  await page.goto(room(plan, '/members'));
  await page.getByRole('link', { name: /^Remove Max/ }).click();
  await plan.stop('remove', page);
  await page.goto(room(plan, '/members'));
  await page.getByRole('link', { name: 'Leave' }).click();
  await press(page, 'Leave the workspace');
  await plan.stop('last-admin', page);
  await page.goto(room(plan, '/members'));
  await page.getByRole('link', { name: /^Take back .* Nora/ }).click();
  await plan.stop('take-back', page);
  await press(page, 'Take the invitation back');
}

async function seeInvitation({ newPage, stop }: Tour, link: string): Promise<void> {
  const page = await newPage();
  await page.goto(link);
  await stop('accept', page);
  await page.getByLabel('New password').fill('passwordpassword');
  await press(page, 'Create the account and join');
  await stop('accept-wrong', page);
  await page.goto(`${link}x`);
  await stop('invitation-over', page);
}

async function seeRest(plan: Tour, page: Page): Promise<void> {
  for (const name of ['integration', 'connections']) {
    await page.goto(room(plan, `/${name}`));
    await plan.stop(name, page);
  }
  await page.goto(`${plan.authUrl}/account`);
  await plan.stop('account', page);
  await page.goto(`${plan.authUrl}/account/password`);
  await page.getByLabel('Current password').fill('not this one');
  await press(page, 'Change the password');
  await plan.stop('password-wrong', page);
  await page.goto(`${plan.authUrl}/nowhere`);
  await plan.stop('not-found', page);
}

async function press(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name, exact: true }).click();
}

function room({ authUrl, workspaceId }: Tour, path: string): string {
  return `${authUrl}/workspaces/${workspaceId}${path}`;
}
