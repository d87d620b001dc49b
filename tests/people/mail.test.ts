import { setTimeout } from 'node:timers/promises';
import { newId, systemOrigin } from '@payroll/kernel';
import { createLog } from '@payroll/runtime';
import { read, sql, write } from '@payroll/store';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { beginResets } from '../../services/workspaces/src/accounts/links.js';
import { setAccountPassword } from '../../services/workspaces/src/commands/accounts.js';
import { NO_WORKSPACE } from '../../services/workspaces/src/commands/installation.js';
import { Mailer } from '../../services/workspaces/src/mail/mailer.js';
import type { Browser, Page } from '../../services/workspaces/test/pages/browser.js';
import { openSite, PASSWORD, type Person } from './site.js';
import type { Place } from '../../services/workspaces/test/support.js';

let place: Place;
let admin: Person;
const site = await openSite('workspaces_mail', {}, 'caught');
afterAll(() => site[Symbol.asyncDispose]());
beforeEach(async () => {
  place = await site.workspaces.provision();
  admin = await site.person(place);
});

const OTHER_PASSWORD = 'seven lanterns under oak';

async function ask(email: string, browser = site.browser()): Promise<Page> {
  return await browser.submit(await browser.get('/forgot-password'), '/forgot-password', { email });
}

/** The paths of the links in the newest mail to that address. */
async function linksTo(email: string, count = 1): Promise<string[]> {
  await expect.poll(() => site.mailsTo(email)).toHaveLength(count);
  return [...site.mailsTo(email)[0]!.text.matchAll(/https?:\/\/\S+/g)].map(([link]) => new URL(link).pathname);
}

async function choose(link: string, password: string, browser = site.browser()): Promise<Page> {
  return await browser.submit(await browser.get(link), link, { password, repeated: password });
}

const emailVerifiedAt = async (email: string): Promise<(string | null)[]> => {
  const rows = (await read(
    site.workspaces.em,
    sql`
    select email_verified_at::text as proved from account where email = ${email} order by created_at`,
  )) as { proved: string | null }[];
  return rows.map(({ proved }) => proved);
};

describe('a forgotten password', () => {
  it('a mailed link replaces a forgotten password once and ends all sessions', async () => {
    const { email, browser } = admin;
    expect((await ask(` ${email.toUpperCase()} `)).text).toContain('a link is on its way');
    const [link = ''] = await linksTo(email);
    expect((await choose(link, OTHER_PASSWORD)).location).toBe('/sign-in');
    expect((await browser.get('/account')).location).toContain('/sign-in');
    expect((await site.browser().signIn(email, PASSWORD)).text).toContain('the password is wrong');
    expect((await site.browser().signIn(email, OTHER_PASSWORD)).status).toBe(303);
    expect((await site.browser().get(link)).text).toContain('This link is no longer open');
    await expect.poll(() => site.subjectsTo(email)).toContain('Your password was changed');
    expect(await emailVerifiedAt(email)).toEqual([expect.any(String)]);
  });

  it('an unknown address gets the same answer and no mail', async () => {
    const answers = [await ask('nobody@example.com'), await ask(admin.email)];
    const [nobody, somebody] = answers.map(({ status, html }) => [status, html.replaceAll(/value="[^"]*"/g, '')]);
    expect(nobody).toEqual(somebody);
    await linksTo(admin.email);
    expect(site.mailsTo('nobody@example.com')).toEqual([]);
  });

  it('the link is made some time after the answer, so timing does not reveal whether an account exists', async () => {
    await ask(admin.email);
    await setTimeout(100);
    const made = await read(site.workspaces.em, sql`select from password_reset where account_id = ${admin.accountId}`);
    expect([made, site.mailsTo(admin.email)]).toEqual([[], []]);
    await linksTo(admin.email);
  });

  it('an expired link is refused, and so is one after another link of the account was used', async () => {
    await ask(admin.email);
    const [first = ''] = await linksTo(admin.email);
    await ask(admin.email);
    const [second = ''] = await linksTo(admin.email, 2);
    await choose(second, OTHER_PASSWORD);
    expect((await site.browser().get(first)).status).toBe(404);
    await expect.poll(() => site.mailsTo(admin.email)).toHaveLength(3);
    await ask(admin.email);
    const [third = ''] = await linksTo(admin.email, 4);
    await write(site.workspaces.em, sql`update password_reset set expires_at = now() - interval '1 s'`);
    expect((await site.browser().get(third)).text).toContain('This link is no longer open');
  });

  it('an invalid password is refused, and the link stays valid', async () => {
    await ask(admin.email);
    const [link = ''] = await linksTo(admin.email);
    expect((await choose(link, 'short')).text).toContain('15 characters or more');
    expect((await choose(link, OTHER_PASSWORD)).status).toBe(303);
  });

  it('resets for one address are limited, from one computer and from many', async () => {
    const answers: number[] = [];
    for (let n = 0; n < 5; n += 1) answers.push((await ask(admin.email)).status);
    expect(answers).toEqual([200, 200, 200, 429, 429]);
    const from = site.browser();
    const many: number[] = [];
    for (let n = 0; n < 12; n += 1) many.push((await ask(`nobody${n}@example.com`, from)).status);
    expect(many.filter((status) => status === 429)).toHaveLength(2);
  });

  it('at most twenty links a day are mailed to one account', async () => {
    const { em } = site.workspaces;
    const asked = async (): Promise<number> => (await beginResets(em, admin.email)).length;
    const mailed: number[] = [];
    for (let n = 0; n < 21; n += 1) mailed.push(await asked());
    expect(mailed).toEqual([...Array.from({ length: 20 }, () => 1), 0]);
    // Links that a new password invalidated count too.
    const input = { accountId: admin.accountId, email: admin.email, name: 'Ada', passwordHash: '' };
    await site.workspaces.run(setAccountPassword, input, systemOrigin(NO_WORKSPACE, 'runner', newId()));
    expect(await asked()).toBe(0);
    await write(em, sql`update password_reset set expires_at = expires_at - interval '1 day'`);
    expect(await asked()).toBe(1);
  });

  it('the mail to an address of several accounts names their workspaces, and a link verifies one', async () => {
    const { email } = admin;
    await write(
      site.workspaces.em,
      sql`insert into account (id, email, name, password_hash, email_verified_at, created_at, updated_at)
      select gen_random_uuid(), email, 'Somebody else', password_hash, null, now(), now() from account
      where email = ${email}`,
    );
    await ask(email);
    const links = await linksTo(email);
    expect(links).toHaveLength(2);
    expect(site.mailsTo(email)[0]!.text).toMatch(/For Northwind:[^]*For the account without a workspace:/);
    for (const link of links) expect((await choose(link, OTHER_PASSWORD)).status).toBe(303);
    expect((await emailVerifiedAt(email)).filter((at) => at !== null)).toHaveLength(1);
  });
});

describe('an invitation by mail', () => {
  const invitedBy = async ({ browser }: Person, email: string): Promise<number> => {
    const [, workspaceId] = /\/workspaces\/([0-9a-f-]+)/.exec((await browser.get('/workspaces')).html)!;
    const path = `/workspaces/${workspaceId}/members/invite`;
    const fields = { name: 'Grace', email, role: 'member', by: 'mail' };
    return (await browser.submit(await browser.get(path), path, fields)).status;
  };
  const invite = async (email: string, by?: string, name = 'Grace'): Promise<Page> => {
    const path = `/workspaces/${place.workspaceId}/members/invite`;
    const fields = { name, email, role: 'member', ...(by !== undefined && { by }) };
    return await admin.browser.submit(await admin.browser.get(path), path, fields);
  };
  const accept = async (browser: Browser, link: string): Promise<Page> => {
    const fields = { name: 'Grace', password: OTHER_PASSWORD, repeated: OTHER_PASSWORD };
    return await browser.submit(await browser.get(link), link, fields);
  };

  it('only the mail has the link, and using it verifies the address', async () => {
    const email = `grace.${place.workspaceId}@example.com`;
    const made = await invite(email, 'mail');
    expect([made.status, made.html]).toEqual([303, expect.not.stringContaining('/invitations/')]);
    const [link = ''] = await linksTo(email);
    expect(site.mailsTo(email)[0]!.subject).toBe('You are invited to Northwind');
    expect((await accept(site.browser(), link)).status).toBe(303);
    expect(await emailVerifiedAt(email)).toEqual([expect.any(String)]);
  });

  it('a double click sends one mail, whose link works', async () => {
    const email = `twice.${place.workspaceId}@example.com`;
    const path = `/workspaces/${place.workspaceId}/members/invite`;
    const [form, fields] = [await admin.browser.get(path), { name: 'Grace', email, role: 'member', by: 'mail' }];
    const send = () => admin.browser.submit(form, path, fields);
    expect((await Promise.all([send(), send()])).map(({ status }) => status)).toEqual([303, 303]);
    const [link = ''] = await linksTo(email);
    expect((await accept(site.browser(), link)).status).toBe(303);
    expect(site.mailsTo(email)).toHaveLength(1);
  });

  it('an address gets at most five invitations a day of a workspace, naming the admin and not the name they typed', async () => {
    const email = `often.${place.workspaceId}@example.com`;
    const statuses: number[] = [];
    for (let n = 0; n < 6; n += 1) statuses.push((await invite(email, 'mail', `Grace ${'ABCDEF'[n]}`)).status);
    expect(statuses).toEqual([303, 303, 303, 303, 303, 429]);
    expect(site.mailsTo(email)).toHaveLength(5);
    // Another workspace must not lock the address.
    const other = await site.person(await site.workspaces.provision());
    expect(await invitedBy(other, email)).toBe(303);
    expect(site.mailsTo(email).at(-1)!.text).toContain(`Ada Admin (${admin.email}) invites you to join Northwind`);
    expect(site.mailsTo(email).at(-1)!.text).not.toContain('Grace');
    expect((await invite(email, 'hand')).text).toContain('Invitation link');
    await write(site.workspaces.em, sql`update invitation set created_at = created_at - interval '1 day'`);
    expect((await invite(email, 'mail')).status).toBe(303);
  });

  it.each([
    ['an admin', 100, 0],
    ['a workspace', 200, 1],
  ])('invitations are not mailed by %s more than %i times a day', async (_, most, by) => {
    const colleague = await site.person(place, 'admin');
    const senders = [admin, colleague];
    await write(
      site.workspaces.em,
      sql`insert into invitation (id, workspace_id, invited_by, name, email, role, secret_hash, is_mailed, expires_at, created_at)
      select gen_random_uuid(), ${place.workspaceId}, ${[admin.membershipId, newId()][by]}::uuid, 'Grace',
        n || ${place.workspaceId} || '@example.com', 'viewer', n || ${place.workspaceId}, true, now(), now()
      from generate_series(1, ${most - 1}::int) n`,
    );
    expect(await invitedBy(senders[by]!, `last.${newId()}@example.com`)).toBe(303);
    expect(await invitedBy(senders[by]!, `over.${newId()}@example.com`)).toBe(429);
  });

  it.each([
    ['Your wages could not be paid\nhttps://evil.example', 'contains characters that are not allowed'],
    ['Your wages could not be paid: https://evil.example', 'must not contain an email or web address'],
    ['wages.example', 'must not contain an email or web address'],
    ['write to ceo＠evil.example', 'must not contain an email or web address'],
  ])('refuses an invitation for the name %j', async (name, problem) => {
    const path = `/workspaces/${place.workspaceId}/members/invite`;
    const fields = { name, email: `${newId()}@example.com`, role: 'member', by: 'mail' };
    const refused = await admin.browser.submit(await admin.browser.get(path), path, fields);
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining(problem)]);
  });

  it('refuses an address that another program could parse differently', async () => {
    const refused = await invite('ceo＠northwind.example<attacker@evil.example>', 'mail');
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('Enter an email address')]);
  });

  it('an invitation by hand verifies nothing and is not mailed', async () => {
    const email = `hand.${place.workspaceId}@example.com`;
    const made = await invite(email, 'hand');
    const link = new URL(/id="once"[^>]* value="([^"]*)"/.exec(made.html)![1]!).pathname;
    await accept(site.browser(), link);
    expect([await emailVerifiedAt(email), site.mailsTo(email)]).toEqual([[null], []]);
  });
});

it.each([
  ['is not there', 'smtp://127.0.0.1:1'],
  ['refuses it, and says whose it is', null],
])('a server that %s is no error on the page, and no part of the mail is logged', async (_, away) => {
  const logged: unknown[] = [];
  const log = Object.assign(createLog('workspaces', 'fatal'), { error: (...said: unknown[]) => logged.push(said) });
  using mailer = new Mailer({ url: away ?? site.catcher!.url, from: 'a@example.com' }, log as never);
  expect(await mailer.send({ to: 'secret@refused.example', subject: 'Hidden', text: 'https://link' })).toBe(false);
  expect(JSON.stringify(logged)).toContain('could not be handed over');
  expect(JSON.stringify(logged)).not.toMatch(/secret@|Hidden|link/);
});

it('without a mail server, the page says who can help', async () => {
  await using without = await openSite('workspaces_without_mail');
  const { text, html } = await without.browser().get('/forgot-password');
  expect(text).toContain('Its operator can set a new password for you.');
  expect(html).not.toContain('<form');
});
