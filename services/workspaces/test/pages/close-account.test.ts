import { newId, SCOPES, systemOrigin } from '@payroll/kernel';
import { Commands } from '@payroll/commands';
import { sql } from 'kysely';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { closeDue } from '../../src/accounts/closing.js';
import { unknownPassword } from '../../src/accounts/passwords.js';
import { closeAccount, keepAccount } from '../../src/commands/accounts.js';
import { connectAssistant } from '../../src/commands/connections.js';
import { NO_WORKSPACE } from '../../src/commands/installation.js';
import { removeMember } from '../../src/commands/members.js';
import { holderOrigin } from '../../src/web/pages/account.js';
import { giveWorkerAccess } from '../../src/commands/worker-access.js';
import type { Place } from '../support.js';
import type { Browser, Page } from './browser.js';
import { PASSWORD, Site, type Person } from './site.js';

let place: Place;
/** An admin beside another one. */
let owner: Person;
let other: Person;
const site = await Site.open('workspaces_close_account', {}, 'caught');
afterAll(() => site[Symbol.asyncDispose]());
beforeEach(async () => {
  place = await site.workspaces.provision();
  owner = await site.person(place, 'admin');
  other = await site.person(place);
});

const change = (statement: ReturnType<typeof sql>) => statement.execute(site.workspaces.em.getKysely());
const count = async (statement: ReturnType<typeof sql>): Promise<number> => (await change(statement)).rows.length;
const REQUESTED = 'Your account will be closed';

const close = async ({ browser } = owner): Promise<Page> =>
  await browser.submit(await browser.get('/account/close'), '/account/close');
const press = async (link: string, browser = site.browser()): Promise<Page> => {
  const page = await browser.get(link);
  return page.status === 200 ? await browser.submit(page, link) : page;
};
const linkTo = (email: string): Promise<string> => site.linkTo(email, REQUESTED);

const passWeek = ({ accountId } = owner) =>
  change(sql`update account set closes_at = closes_at - interval '7 days' where id = ${accountId}`);
/** A round of the job, as a process of its own. */
const round = async (commands = new Commands({ em: site.workspaces.em.fork() })): Promise<void> => {
  const parts = { em: site.workspaces.em.fork(), commands, log: site.web.log };
  await closeDue(parts, new AbortController().signal);
};
const isClosed = async ({ accountId } = owner): Promise<boolean> =>
  (await count(sql`select from account where id = ${accountId} and closed_at is not null`)) === 1;
const isMember = async ({ membershipId } = owner): Promise<boolean> =>
  (await count(sql`select from membership where id = ${membershipId} and left_at is null`)) === 1;
const isIn = async (browser: Browser): Promise<boolean> => (await browser.get('/workspaces')).status === 200;

describe('closing an account', () => {
  it('takes a recent password, and a mail and the account’s page say when it happens', async () => {
    const { browser, email } = owner;
    const page = await browser.get('/account/close');
    expect(page.text).toContain('work, payments and who did what');
    await site.age(owner, 11);
    const again = '/sign-in/again?return_to=%2Faccount%2Fclose';
    expect((await browser.get('/account/close')).location).toBe(again);
    expect((await browser.submit(page, '/account/close')).location).toBe(again);
    await site.age(owner, -11);
    expect((await close()).location).toBe('/account');
    expect((await browser.get('/account')).text).toContain('Your account will be closed');
    await linkTo(email);
    // Sent twice, it is one closing.
    await browser.submit(page, '/account/close');
    await round();
    expect([await isClosed(), await isMember()]).toEqual([false, true]);
    expect((await site.browser().signIn(email, PASSWORD)).status).toBe(303);
    expect(site.subjectsTo(email).filter((subject) => subject === REQUESTED)).toHaveLength(1);
  });

  it('is stopped with a button on the account’s page, also by a double click', async () => {
    await close();
    const { browser } = owner;
    const page = await browser.get('/account');
    for (const _ of [1, 2]) expect((await browser.submit(page, '/account/keep')).location).toBe('/account');
    await passWeek();
    await round();
    expect([await isClosed(), await isIn(browser)]).toEqual([false, true]);
  });

  it('is stopped with the button of the mailed link, once, without a sign-in', async () => {
    await close();
    const link = await linkTo(owner.email);
    const waits = () => count(sql`select from account where id = ${owner.accountId} and closes_at is not null`);
    expect((await site.browser().get(link)).text).toContain('Keep your account?');
    expect((await press(`${link}x`)).status).toBe(404);
    expect(await waits()).toBe(1);
    const answers = await Promise.all([press(link), press(link)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 404]);
    expect(await waits()).toBe(0);
    // A later closing has a link of its own.
    await close();
    expect((await press(link)).status).toBe(404);
    expect(await waits()).toBe(1);
  });

  it('is refused to the only admin of a workspace, with its name', async () => {
    const alone = await site.person(await site.workspaces.provision());
    const page = await alone.browser.get('/account/close');
    expect(page.text).toContain('You are the only admin of Northwind');
    expect(page.html).not.toContain('action="/account/close"');
    const form = await owner.browser.get('/account/close');
    await site.workspaces.run(removeMember, { id: place.membershipId }, place.origin);
    const refused = await owner.browser.submit(form, '/account/close');
    expect([refused.status, refused.text.includes('You are the only admin of Northwind')]).toEqual([422, true]);
  });
});

describe('after seven days', () => {
  it('the person is gone from the account, which cannot sign in, and the trail keeps its id', async () => {
    const { accountId, membershipId, email, browser } = owner;
    const key = await site.workspaces.key(place, membershipId);
    const client = { id: newId(), name: 'Claude', hosts: [] };
    const consent = { membershipId, subject: accountId, client, scopes: SCOPES, enable: true, grantId: null };
    await site.workspaces.run(connectAssistant, consent, systemOrigin(place.workspaceId, 'runner', newId()));
    const employer = await site.workspaces.provision();
    const working = systemOrigin(employer.workspaceId, 'runner', newId());
    await site.workspaces.run(giveWorkerAccess, { workerId: newId(), accountId }, working);
    await change(sql`insert into second_factor (account_id, sealed, last_step, set_at)
      values (${accountId}, 'sealed', 0, now())`);
    await change(sql`insert into recovery_code (account_id, code_hash) values (${accountId}, 'x')`);
    await change(sql`insert into mail_choice (account_id, workspace_id, topic, rhythm)
      values (${accountId}, ${place.workspaceId}, 'work', 'never')`);
    await change(sql`insert into address_change (id, account_id, email, secret_hash, expires_at, created_at, former_email, changed_at)
      values (${newId()}, ${accountId}, ${email}, ${newId()}, now(), now(), 'before@example.com', now())`);
    await close();
    const link = await linkTo(email);
    await passWeek();
    await round();
    expect([await isIn(browser), (await site.browser().signIn(email, PASSWORD)).status]).toEqual([false, 422]);
    expect((await site.browser().signIn(accountId, PASSWORD)).status).toBe(422);
    expect((await press(link)).status).toBe(404);
    expect(await site.workspaces.admitOne(key.credential)).toMatchObject({ code: 'INVALID_CREDENTIAL' });
    const { rows } = await change(sql`select email, name, closes_at from account where id = ${accountId}`);
    expect(rows).toEqual([{ email: accountId, name: 'Closed account', closes_at: null }]);
    const left = ['session', 'known_device', 'second_factor', 'recovery_code', 'password_reset'];
    for (const table of [...left, 'mail_choice', 'address_change', 'stop_link']) {
      expect([table, await count(sql`select from ${sql.table(table)} where account_id = ${accountId}`)]).toEqual([
        table,
        0,
      ]);
    }
    expect(await count(sql`select from membership where account_id = ${accountId} and left_at is null`)).toBe(0);
    expect(await count(sql`select from worker_access where account_id = ${accountId} and ended_at is null`)).toBe(0);
    expect(
      await count(sql`select from mcp_connection where membership_id = ${membershipId} and revoked_at is null`),
    ).toBe(0);
    const actions = (await site.workspaces.audited(NO_WORKSPACE)).filter(({ subjectId }) => subjectId === accountId);
    expect(actions.map(({ action }) => action)).toEqual(['account.closing-requested', 'account.closed']);
    const { rows: kept } = await change(sql`select email, name from membership where id = ${membershipId}`);
    // Businesses keep the name and address that they have.
    expect(kept).toEqual([{ email: expect.stringContaining('@') as string, name: 'admin' }]);
    // The address is free.
    const next = await site.account();
    await change(sql`update account set email = ${email}, email_verified_at = now() where id = ${next.id}`);
    expect((await site.browser().signIn(email, PASSWORD)).status).toBe(303);
  });

  it('is called off and told where the person has become the only admin meanwhile', async () => {
    await close();
    await site.workspaces.run(removeMember, { id: place.membershipId }, place.origin);
    await passWeek();
    await round();
    expect([await isClosed(), await isMember(), await isIn(owner.browser)]).toEqual([false, true, true]);
    await expect.poll(() => site.subjectsTo(owner.email)).toContain('Your account was not closed');
    expect((await owner.browser.get('/account')).text).not.toContain('will be closed');
  });

  it('is called off where the other admin is being lowered at that moment', async () => {
    await close();
    await passWeek();
    let closing: Promise<void> | undefined;
    await site.workspaces.em
      .getKysely()
      .transaction()
      .execute(async (tx) => {
        // As a command does: first the clock of its workspace.
        await sql`update change_clock set last = clock_timestamp() where workspace_id = ${place.workspaceId}`.execute(
          tx,
        );
        closing = round();
        await site.workspaces.waitersForLocks(1);
        await sql`update membership set role = 'member' where id = ${other.membershipId}`.execute(tx);
      });
    await closing;
    expect([await isClosed(), await isMember()]).toEqual([false, true]);
  });

  it('a workspace keeps one of two admins who close their accounts at the same time', async () => {
    await Promise.all([close(), close(other)]);
    await Promise.all([passWeek(), passWeek(other)]);
    await Promise.all([round(), round()]);
    expect([await isClosed(), await isClosed(other)].toSorted()).toEqual([false, true]);
    expect([await isMember(), await isMember(other)].toSorted()).toEqual([false, true]);
  });

  it('a workspace keeps its other admin, who cannot leave while the closed account is still a member', async () => {
    const place = await site.workspaces.provision();
    const [closing, other] = [await site.person(place, 'admin'), await site.person(place)];
    const { accountId } = closing;
    const kysely = site.workspaces.em.getKysely();
    await sql`update account set closes_at = now() where id = ${accountId}`.execute(kysely);
    const origin = systemOrigin(NO_WORKSPACE, 'runner', newId());
    await site.workspaces.run(closeAccount, { accountId, passwordHash: unknownPassword() }, origin);
    const leave = () => site.workspaces.run(removeMember, { id: other.membershipId }, place.origin);
    await expect(leave()).rejects.toThrow('This is the last admin');
  });

  it('closes the others too where one cannot be closed, and counts as a failed round', async () => {
    await Promise.all([close(), close(other)]);
    await Promise.all([passWeek(), passWeek(other)]);
    const commands = new Commands({ em: site.workspaces.em.fork() });
    const closing = vi.spyOn(commands, 'run').mockRejectedValueOnce(new Error('not this one'));
    await expect(round(commands)).rejects.toThrow('not this one');
    expect([await isClosed(), await isClosed(other)].toSorted()).toEqual([false, true]);
    closing.mockRestore();
    await round(commands);
  });

  it('happens once in two processes', async () => {
    await close();
    await passWeek();
    await Promise.all([round(), round()]);
    const trail = [
      ...(await site.workspaces.audited(NO_WORKSPACE)),
      ...(await site.workspaces.audited(place.workspaceId)),
    ];
    const ends = trail.filter(({ subjectId }) => subjectId === owner.accountId || subjectId === owner.membershipId);
    const once = ends.map(({ action }) => action).filter((action) => /closed|left/.test(action));
    expect(once.toSorted()).toEqual(['account.closed', 'member.left']);
  });

  it('a process that starts again ends the places that are left', async () => {
    await close();
    await passWeek();
    const { accountId } = owner;
    const input = { accountId, passwordHash: unknownPassword() };
    await site.workspaces.run(closeAccount, input, systemOrigin(NO_WORKSPACE, 'runner', newId()));
    expect([await isClosed(), await isMember(), await isIn(owner.browser)]).toEqual([true, true, false]);
    await round();
    expect(await isMember()).toBe(false);
    expect(await count(sql`select from account where closes_at <= now()`)).toBe(0);
  });

  it('either it is stopped and nothing has ended, or all has, and the stop is refused', async () => {
    const seen = new Set<string>();
    for (let n = 0; n < 100; n += 1) {
      const { id: accountId, email } = await site.account();
      const membershipId = await site.workspaces.member(place, 'member');
      await change(sql`update membership set account_id = ${accountId} where id = ${membershipId}`);
      await change(sql`update account set closes_at = now() where id = ${accountId}`);
      const origin = holderOrigin({ id: accountId, email }, newId());
      const stop = () => site.workspaces.run(keepAccount, { accountId }, origin);
      // Each has a head start at times.
      const [stopped] = n % 2 === 0 ? await race(stop, () => round()) : (await race(() => round(), stop)).toReversed();
      const person = { ...owner, accountId, membershipId };
      const isKept = stopped!.status === 'fulfilled';
      expect([await isClosed(person), await isMember(person)]).toEqual([!isKept, isKept]);
      seen.add(stopped!.status);
    }
    expect([...seen].toSorted()).toEqual(['fulfilled', 'rejected']);
  });
});

const race = (...both: readonly (() => Promise<void>)[]) => Promise.allSettled(both.map((each) => each()));

it('a deployment that sends no mail closes accounts too', async () => {
  await using without = await Site.open('workspaces_close_unmailed');
  const place = await without.workspaces.provision();
  const [{ browser, accountId }] = [await without.person(place, 'admin'), await without.person(place)];
  await browser.submit(await browser.get('/account/close'), '/account/close');
  const kysely = without.workspaces.em.getKysely();
  expect(
    (await sql`select from account where id = ${accountId} and closes_at is not null`.execute(kysely)).rows,
  ).toHaveLength(1);
});
