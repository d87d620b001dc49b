import { newId, SCOPES, systemOrigin } from '@payroll/kernel';
import { createLog } from '@payroll/runtime';
import { sql } from 'kysely';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { addressesOf } from '../../src/mail/outbox.js';
import { beginResets } from '../../src/accounts/links.js';
import { deleteExpiredSignIns } from '../../src/accounts/sign-in.js';
import { connectAssistant } from '../../src/commands/connections.js';
import { addMember } from '../../src/commands/members.js';
import { giveWorkerAccess } from '../../src/commands/worker-access.js';
import type { Place } from '../support.js';
import type { Browser, Page } from './browser.js';
import { PASSWORD, Site, type Person } from './site.js';

const OTHER_PASSWORD = 'seven lanterns under oak';

let place: Place;
let owner: Person;
const site = await Site.open('workspaces_own_address', {}, 'caught');
afterAll(() => site[Symbol.asyncDispose]());
beforeEach(async () => {
  place = await site.workspaces.provision();
  owner = await site.person(place);
});

const change = (statement: ReturnType<typeof sql>) => statement.execute(site.workspaces.em.getKysely());
const newEmail = (): string => `${newId()}@new.example`;
const isIn = async (browser: Browser): Promise<boolean> => (await browser.get('/workspaces')).status === 200;
const canSignIn = async (email: string, password = PASSWORD): Promise<boolean> =>
  (await site.browser().signIn(email, password)).status === 303;
const emailOf = async (accountId: string): Promise<string> => {
  const { rows } = await change(sql`select email from account where id = ${accountId}`);
  return (rows[0] as { email: string }).email;
};

const CONFIRM = 'Confirm your new email address';
const CHANGED = 'The email address of your account was changed';

const request = async (email: string, browser = owner.browser): Promise<Page> =>
  await browser.submit(await browser.get('/account/address'), '/account/address', { email });
const press = async (link: string, browser = site.browser()): Promise<Page> => {
  const page = await browser.get(link);
  return page.status === 200 ? await browser.submit(page, link) : page;
};
/** @returns the link in the mail to the former address */
async function changeTo(email: string, browser = owner.browser, accountId = owner.accountId): Promise<string> {
  const former = await emailOf(accountId);
  expect((await request(email, browser)).location).toBe('/account');
  expect((await press(await site.linkTo(email, CONFIRM), browser)).location).toBe('/account');
  return await site.linkTo(former, CHANGED);
}

describe('a new address', () => {
  it('signs in once its owner has confirmed it with a button, and the former one no longer does', async () => {
    const { accountId, browser, email: former } = owner;
    const email = newEmail();
    expect((await request(` ${email.toUpperCase()}`)).location).toBe('/account');
    const link = await site.linkTo(email, CONFIRM);
    expect((await browser.get(link)).text).toContain(email);
    expect([await canSignIn(email), await canSignIn(former)]).toEqual([false, true]);
    expect((await press(link, browser)).location).toBe('/account');
    expect([await canSignIn(email), await canSignIn(former)]).toEqual([true, false]);
    expect((await browser.get('/account')).text).toContain(email);
    const { rows } = await change(sql`select m.email, email_verified_at is not null as verified
      from membership m join account on account.id = m.account_id where account.id = ${accountId}`);
    expect(rows).toEqual([{ email, verified: true }]);
    expect((await press(link, browser)).text).toContain('no longer open');
    const { rows: trail } = await change(sql`select change from audit_entry where subject_id = ${accountId}`);
    expect(trail.length).toBeGreaterThan(1);
    expect(JSON.stringify(trail)).not.toContain('@new.example');
  });

  it('is mailed one link by a double click', async () => {
    const email = newEmail();
    const [form, path] = [await owner.browser.get('/account/address'), '/account/address'];
    const send = (): Promise<Page> => owner.browser.submit(form, path, { email });
    expect((await Promise.all([send(), send()])).map(({ location }) => location)).toEqual(['/account', '/account']);
    expect((await press(await site.linkTo(email, CONFIRM), owner.browser)).location).toBe('/account');
    expect(site.subjectsTo(email)).toEqual([CONFIRM]);
  });

  it('is confirmed once by a double click', async () => {
    const email = newEmail();
    await request(email);
    const link = await site.linkTo(email, CONFIRM);
    const page = await owner.browser.get(link);
    await owner.browser.submit(page, link);
    expect(await owner.browser.submit(page, link)).toMatchObject({ status: 303, location: '/account' });
    expect((await owner.browser.get('/account')).text).toContain(`Your address is ${email} now.`);
    expect((await owner.browser.get(link)).text).toContain('no longer open');
  });

  it('takes a recent password, so a stolen session alone cannot change it', async () => {
    const form = await owner.browser.get('/account/address');
    await site.age(owner, 11);
    const again = '/sign-in/again?return_to=%2Faccount%2Faddress';
    expect((await owner.browser.get('/account/address')).location).toBe(again);
    const late = await owner.browser.submit(form, '/account/address', { email: newEmail() });
    expect(late.location).toBe(again);
    expect((await change(sql`select from address_change where account_id = ${owner.accountId}`)).rows).toEqual([]);
  });

  it('that was typed before the session ended is back after the sign-in', async () => {
    const [form, email] = [await owner.browser.get('/account/address'), newEmail()];
    await change(sql`delete from session where id = ${owner.sessionId}`);
    const signIn = await owner.browser.submit(form, '/account/address', { email });
    expect(signIn.text).toContain('what you typed will be back');
    const answer = await owner.browser.submit(signIn, '/sign-in', { email: owner.email, password: PASSWORD });
    expect(answer.location).toBe('/account/address');
    const again = await owner.browser.get('/account/address');
    expect(again.html).toContain(`value="${email}"`);
    expect(again.text).toContain('Nothing has been done yet.');
  });

  it('has to be another one, in the strict form, whose server takes the mail', async () => {
    expect((await request(owner.email.toUpperCase())).text).toContain('This is your address already');
    for (const email of ['', 'ada', 'a＠b.example<c@d.example>']) {
      const answer = await request(email);
      expect([email, answer.status, answer.text.includes('Enter an email address')]).toEqual([email, 422, true]);
    }
    expect(await request('nobody@refused.example')).toMatchObject({ status: 503 });
  });

  it('is confirmed by the account that requested it alone, once, within a day, with the newest link', async () => {
    const [first, second] = [newEmail(), newEmail()];
    await request(first);
    const replaced = await site.linkTo(first, CONFIRM);
    await request(second);
    const link = await site.linkTo(second, CONFIRM);
    const stranger = await site.person(await site.workspaces.provision());
    for (const [browser, path] of [
      [owner.browser, replaced],
      [owner.browser, `${link}x`],
      [owner.browser, link.slice(0, -1) + (link.endsWith('A') ? 'B' : 'A')],
      [stranger.browser, link],
    ] as const) {
      expect((await press(path, browser)).status).toBe(404);
    }
    expect((await site.browser().get(link)).location).toContain('/sign-in');
    await change(sql`update address_change set expires_at = expires_at - interval '1 day'`);
    expect((await press(link, owner.browser)).status).toBe(404);
    expect(await emailOf(owner.accountId)).toBe(owner.email);
    await change(sql`update address_change set expires_at = now() + interval '1 h' where email = ${second}`);
    await using other = await site.anotherProcess();
    const elsewhere = other.browser();
    await elsewhere.signIn(owner.email, PASSWORD);
    const answers = await Promise.all([press(link, owner.browser), press(link, elsewhere)]);
    expect(answers.map(({ status }) => status)).toContain(303);
    expect(await emailOf(owner.accountId)).toBe(second);
    const changes = sql`select from audit_entry where subject_id = ${owner.accountId} and action = 'account.address-changed'`;
    expect((await change(changes)).rows).toHaveLength(1);
  });

  it('is refused once another account has proved it, and not for one that has not', async () => {
    const email = newEmail();
    await request(email);
    const link = await site.linkTo(email, CONFIRM);
    const other = await site.account();
    await change(sql`update account set email = ${email}, email_verified_at = now() where id = ${other.id}`);
    const refused = await press(link, owner.browser);
    expect([refused.status, refused.text.includes('Another account has this address')]).toEqual([422, true]);
    expect(await emailOf(owner.accountId)).toBe(owner.email);
    await change(sql`update account set email_verified_at = null where id = ${other.id}`);
    expect((await press(link, owner.browser)).location).toBe('/account');
  });

  it('is refused where another member of the workspace has it', async () => {
    const email = newEmail();
    await site.workspaces.run(addMember, { name: 'Grace', email, role: 'viewer' }, place.origin);
    await request(email);
    const refused = await press(await site.linkTo(email, CONFIRM), owner.browser);
    expect(refused.text).toContain('Another member or worker of Northwind has this address');
    expect(await emailOf(owner.accountId)).toBe(owner.email);
  });

  it('is refused where one of the two is a member and the other a worker, who would approve their own pay', async () => {
    await change(sql`update membership set email = ${owner.email} where id = ${owner.membershipId}`);
    const worker = await site.account();
    const origin = systemOrigin(place.workspaceId, 'runner', newId());
    await site.workspaces.run(giveWorkerAccess, { workerId: newId(), accountId: worker.id }, origin);
    const browser = site.browser();
    await browser.signIn(worker.email, PASSWORD);
    for (const [own, email] of [
      [owner.browser, worker.email],
      [browser, owner.email],
    ] as const) {
      await own.submit(await own.get('/account/address'), '/account/address', { email });
      const refused = await press(await site.linkTo(email, CONFIRM), own);
      expect(refused.text).toContain('Another member or worker of Northwind has this address');
    }
  });

  it('is refused to people with an internal token, who would become a second person', async () => {
    const email = newEmail();
    await request(email);
    const link = await site.linkTo(email, CONFIRM);
    await site.workspaces.token('finance', owner.email);
    expect((await press(link, owner.browser)).text).toContain('one of the people who run this service');
    expect((await request(newEmail())).text).toContain('one of the people who run this service');
    // An expired token can be renewed, a revoked one says that the person has left.
    await change(sql`update internal_token set expires_at = now() where owner = ${owner.email}`);
    expect((await press(link, owner.browser)).status).toBe(422);
    await change(sql`update internal_token set revoked_at = now() where owner = ${owner.email}`);
    expect((await press(link, owner.browser)).status).toBe(303);
  });

  it('is mailed five links a day for an account, and three in five minutes to one address', async () => {
    const email = newEmail();
    const statuses: number[] = [];
    for (let n = 0; n < 4; n += 1) {
      statuses.push((await request(email)).status);
      // While its link is open, another click at once is a double click.
      await change(sql`update address_change set expires_at = now() where changed_at is null`);
    }
    for (let n = 0; n < 3; n += 1) statuses.push((await request(newEmail())).status);
    expect(statuses).toEqual([303, 303, 303, 429, 303, 303, 429]);
  });

  it('keeps the second factor and the sessions, and ends links for a new password', async () => {
    const { accountId, email: former, browser } = owner;
    await change(sql`insert into second_factor (account_id, sealed, last_step, set_at)
      values (${accountId}, 'sealed', 0, now())`);
    const [reset] = await beginResets(site.workspaces.em, former);
    await changeTo(newEmail());
    expect((await site.browser().get(`/reset-password/${reset!.secret}`)).status).toBe(404);
    expect(await isIn(browser)).toBe(true);
    expect((await change(sql`select from second_factor where account_id = ${accountId}`)).rows).toHaveLength(1);
  });

  it('that another person requested is not made after a new password', async () => {
    const email = newEmail();
    await request(email);
    const link = await site.linkTo(email, CONFIRM);
    const fields = { current: PASSWORD, password: OTHER_PASSWORD, repeated: OTHER_PASSWORD };
    await owner.browser.submit(await owner.browser.get('/account/password'), '/account/password', fields);
    expect((await press(link, owner.browser)).status).toBe(404);
  });
});

describe('the link in the mail to the former address', () => {
  const setPassword = async (link: string) => {
    const browser = site.browser();
    const fields = { password: OTHER_PASSWORD, repeated: OTHER_PASSWORD };
    return await browser.submit(await browser.get(link), link, fields);
  };

  it('restores it by a button, ends everything that signs in, and mails a link for a new password', async () => {
    const { accountId, membershipId, email: former } = owner;
    const client = { id: newId(), name: 'Claude', hosts: [] };
    const consent = { membershipId, subject: accountId, client, scopes: SCOPES, enable: true, grantId: null };
    const system = systemOrigin(place.workspaceId, 'runner', newId());
    await site.workspaces.run(connectAssistant, consent, system);
    await change(sql`update known_device set factor_trusted_until = now() + interval '9 days'
      where account_id = ${accountId}`);
    const email = newEmail();
    const link = await changeTo(email);
    const browser = site.browser();
    const page = await browser.get(link);
    expect([page.status, page.text.includes(former), page.text.includes(email)]).toEqual([200, true, false]);
    expect([await isIn(owner.browser), await canSignIn(email)]).toEqual([true, true]);
    expect((await press(link, browser)).location).toBe('/sign-in');
    expect(await emailOf(accountId)).toBe(former);
    expect([await isIn(owner.browser), await canSignIn(email), await canSignIn(former)]).toEqual([false, false, false]);
    const { rows } = await change(sql`select
      (select count(*)::int from mcp_connection where membership_id = ${membershipId} and revoked_at is null) as connections,
      (select count(*)::int from known_device where account_id = ${accountId} and factor_trusted_until > now()) as trusted,
      (select email from membership where account_id = ${accountId}) as email`);
    expect(rows).toEqual([{ connections: 0, trusted: 0, email: former }]);
    expect((await setPassword(await site.linkTo(former, 'Choose a new password'))).location).toBe('/sign-in');
    expect(await canSignIn(former, OTHER_PASSWORD)).toBe(true);
    await expect.poll(() => site.subjectsTo(email)).toContain('The email address of your account was changed back');
    expect((await press(link)).status).toBe(404);
  });

  it('keeps out a sign-in that was under way with the present password', async () => {
    const email = newEmail();
    const link = await changeTo(email);
    const thief = site.browser();
    const form = await thief.get('/sign-in');
    const signIn = () => thief.submit(form, '/sign-in', { email, password: PASSWORD });
    await site.whileHashing(signIn, () => press(link));
    expect(await isIn(thief)).toBe(false);
  });

  it('works once, also at once in two processes', async () => {
    const link = await changeTo(newEmail());
    await using other = await site.anotherProcess();
    const answers = await Promise.all([press(link), press(link, other.browser())]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 404]);
  });

  it('is good for seven days and for its change alone', async () => {
    const link = await changeTo(newEmail());
    expect((await press(`${link}x`)).status).toBe(404);
    const age = (days: string) =>
      change(sql`update address_change set changed_at = changed_at - ${days}::interval
        where account_id = ${owner.accountId}`);
    await age('7 days');
    expect((await press(link)).status).toBe(404);
    await age('-1 min');
    expect((await press(link)).location).toBe('/sign-in');
  });

  it('restores the first address after a second change, and ends the link of the second', async () => {
    const first = await changeTo(newEmail());
    const second = await changeTo(newEmail());
    expect((await press(first)).location).toBe('/sign-in');
    expect(await emailOf(owner.accountId)).toBe(owner.email);
    expect((await press(second)).status).toBe(404);
    expect(await addressesOf(site.workspaces.em, owner.accountId)).toEqual([owner.email]);
  });

  it('of the first change still works after that of the second was used', async () => {
    const between = newEmail();
    const first = await changeTo(between);
    await press(await changeTo(newEmail()));
    expect(await emailOf(owner.accountId)).toBe(between);
    expect((await press(first)).location).toBe('/sign-in');
    expect(await emailOf(owner.accountId)).toBe(owner.email);
  });

  it('is not given to the address between by a move away and back, and the first one still takes the account back', async () => {
    const { email: first, browser, accountId } = owner;
    const between = newEmail();
    const link = await changeTo(between);
    await request(first);
    await press(await site.linkTo(first, CONFIRM), browser);
    expect(await emailOf(accountId)).toBe(first);
    await expect
      .poll(() => site.subjectsTo(between))
      .toEqual([...['The email address of your account was changed back', CONFIRM]]);
    expect(await addressesOf(site.workspaces.em, accountId)).toEqual([first]);
    expect((await press(link)).location).toBe('/sign-in');
    expect([await emailOf(accountId), await isIn(browser), await canSignIn(first)]).toEqual([first, false, false]);
  });

  it('of an address between ends when the account is moved back past it', async () => {
    const { email: first, browser, accountId } = owner;
    const [second, third] = [newEmail(), newEmail()];
    await changeTo(second);
    const ofSecond = await changeTo(third);
    await request(first);
    await press(await site.linkTo(first, CONFIRM), browser);
    expect((await press(ofSecond)).status).toBe(404);
    expect(await emailOf(accountId)).toBe(first);
  });

  it('wins against a change that is confirmed at the same time', async () => {
    const races = Array.from({ length: 10 }, async () => {
      const person = await site.person(await site.workspaces.provision());
      const link = await changeTo(newEmail(), person.browser, person.accountId);
      const next = newEmail();
      await request(next, person.browser);
      return { person, link, confirm: await site.linkTo(next, CONFIRM) };
    });
    for (const { person, link, confirm } of await Promise.all(races)) {
      await Promise.all([press(confirm, person.browser), press(link)]);
      expect(await emailOf(person.accountId)).toBe(person.email);
      expect((await person.browser.get('/account')).location).toContain('/sign-in');
    }
  });

  it('restores it although another account and another member have taken it', async () => {
    const { accountId, email: former } = owner;
    const link = await changeTo(newEmail());
    const other = await site.account();
    await change(sql`update account set email = ${former}, email_verified_at = now() where id = ${other.id}`);
    await site.workspaces.run(addMember, { name: 'Grace', email: former, role: 'viewer' }, place.origin);
    expect((await press(link)).location).toBe('/sign-in');
    expect(await emailOf(accountId)).toBe(former);
    await setPassword(await site.linkTo(former, 'Choose a new password'));
    const browser = site.browser();
    await browser.signIn(former, OTHER_PASSWORD);
    expect((await browser.get('/workspaces')).html).toContain(`/workspaces/${place.workspaceId}`);
  });

  it('also stops the closing of the account', async () => {
    const { accountId } = owner;
    const link = await changeTo(newEmail());
    await change(sql`update account set closes_at = now() + interval '7 days' where id = ${accountId}`);
    await press(link);
    const { rows } = await change(sql`select closes_at from account where id = ${accountId}`);
    expect(rows).toEqual([{ closes_at: null }]);
  });
});

it('mails about money go to former addresses for 30 days, and then these are deleted', async () => {
  const { em } = site.workspaces;
  const email = newEmail();
  await changeTo(email);
  const known = async () => (await addressesOf(em, owner.accountId)).toSorted();
  expect(await known()).toEqual([owner.email, email].toSorted());
  const age = (days: string) =>
    change(sql`update address_change set changed_at = changed_at - ${days}::interval
      where account_id = ${owner.accountId}`);
  await age('29 days 23 h');
  await deleteExpiredSignIns(em);
  expect(await known()).toEqual([owner.email, email].toSorted());
  await age('1 h');
  expect(await known()).toEqual([email]);
  await deleteExpiredSignIns(em);
  expect((await change(sql`select from address_change where account_id = ${owner.accountId}`)).rows).toEqual([]);
});

it('the secret of no link is in a table or in a log', async () => {
  const lines: string[] = [];
  const log = createLog('workspaces', 'trace', { write: (line) => void lines.push(line), flushSync: () => undefined });
  await using other = await site.anotherProcess(log);
  const browser = other.browser();
  await browser.signIn(owner.email, PASSWORD);
  const email = newEmail();
  await request(email, browser);
  const confirm = await site.linkTo(email, CONFIRM);
  await press(confirm, browser);
  const stop = await site.linkTo(owner.email, CHANGED);
  await press(stop, other.browser());
  const reset = await site.linkTo(owner.email, 'Choose a new password');
  const { rows: tables } = await change(sql`select table_name as name from information_schema.tables
    where table_schema = 'workspaces' and table_type = 'BASE TABLE'`);
  const contents = await Promise.all(
    (tables as { name: string }[]).map(({ name }) =>
      change(sql`select row_to_json(t)::text from ${sql.table(name)} t`),
    ),
  );
  expect(lines.join()).toContain('/account/address/');
  const text = lines.join() + JSON.stringify(contents.map(({ rows }) => rows));
  expect(text).toContain(owner.accountId);
  for (const link of [confirm, stop, reset]) expect(text).not.toContain(link.split('/').at(-1));
});

it('a deployment that sends no mail says that no address can be confirmed', async () => {
  await using without = await Site.open('workspaces_own_address_unmailed');
  const { browser } = await without.person(await without.workspaces.provision());
  expect((await browser.get('/account/address')).text).toContain('does not send mail');
});
