import { newId, systemOrigin, unavailable } from '@payroll/kernel';
import { createLog } from '@payroll/runtime';
import { readGeneration } from '@payroll/store';
import { sql } from 'kysely';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { beginResets, deleteExpiredPayoutStops } from '../../src/accounts/links.js';
import { tellPayoutChange } from '../../src/commands/notices.js';
import { endWorkerAccess, giveWorkerAccess } from '../../src/commands/worker-access.js';
import { mailOf } from '../../src/mail/notice-texts.js';
import { readNotices, type TakenMail } from '../../src/mail/outbox.js';
import type { Place } from '../support.js';
import type { Browser, Page } from './browser.js';
import { PASSWORD, Site } from './site.js';

const OTHER_PASSWORD = 'seven lanterns under oak';

let place: Place;
/** The state of a change that payments answers with, until it has applied the event. */
let payments: { isReachable: boolean; state: 'waiting' | 'over' };
const site = await Site.open('workspaces_payout_stop', {}, 'caught');
site.web.bus = {
  request: async (_subject, question) => {
    if (!payments.isReachable) throw unavailable('payments');
    const { changeId } = question as { changeId: string };
    const isStopped = (await eventsOf(changeId)).length > 0;
    return { state: isStopped ? 'stopped' : payments.state };
  },
};
afterAll(() => site[Symbol.asyncDispose]());
beforeEach(async () => {
  payments = { isReachable: true, state: 'waiting' };
  place = await site.workspaces.provision();
});

const kysely = () => site.workspaces.em.getKysely();
const eventsOf = async (changeId: string) =>
  (
    await sql<{ body: unknown }>`
      select body -> 'body' as body from outbox_event
      where type = 'payout-change.stopped' and about_id = ${changeId}`.execute(kysely())
  ).rows;
const isIn = async (browser: Browser): Promise<boolean> => (await browser.get('/account')).status === 200;

interface Worker {
  accountId: string;
  workerId: string;
  email: string;
  /** In which a thief may be at work. */
  browser: Browser;
}

async function newWorker(workerId = newId()): Promise<Worker> {
  const { id: accountId, email } = await site.account('Wanda Worker');
  const system = systemOrigin(place.workspaceId, 'runner', newId());
  await site.workspaces.run(giveWorkerAccess, { workerId, accountId }, system);
  const browser = site.browser();
  await browser.signIn(email, PASSWORD);
  return { accountId, workerId, email, browser };
}

/** As workspaces applies the event of payments. */
async function changed({ workerId }: Pick<Worker, 'workerId'>, changeId = newId()): Promise<string> {
  const { em, commands } = site.workspaces;
  const envelope = {
    id: newId(),
    workspaceId: place.workspaceId,
    aboutId: changeId,
    requestId: newId(),
    occurredAt: '2026-11-27T09:00:00Z',
    generation: await readGeneration(em),
  };
  const body = { changeId, workerId, until: '2099-01-02T03:04:05.000000Z' };
  await commands.apply(tellPayoutChange, { ...envelope, type: 'notice.payout-change', body });
  return changeId;
}

/** The path of the link in the newest mail of that many about the change. */
async function mailedLink(email: string, count = 1): Promise<string> {
  const found = () => site.mailsTo(email).filter(({ subject }) => subject.includes('details were changed'));
  await expect.poll(found, { timeout: 10_000 }).toHaveLength(count);
  return new URL(/https?:\/\/\S+/.exec(found()[0]!.text)![0]).pathname;
}

const press = async (link: string, browser = site.browser()): Promise<Page> =>
  await browser.submit(await browser.get(link), link);

async function setsPassword(email: string): Promise<Browser> {
  const [reset] = await beginResets(site.workspaces.em, email);
  const [link, browser] = [`/reset-password/${reset!.secret}`, site.browser()];
  await browser.submit(await browser.get(link), link, { password: OTHER_PASSWORD, repeated: OTHER_PASSWORD });
  expect((await browser.signIn(email, OTHER_PASSWORD)).status).toBe(303);
  return browser;
}

describe('the mail about changed payout details', () => {
  it('is sent at once, also to a worker who chose no mail, with a link and until when, and without names and accounts', async () => {
    const wanda = await newWorker();
    for (const topic of ['money', 'work', 'contracts'])
      await sql`insert into mail_choice (account_id, workspace_id, topic, rhythm)
        values (${wanda.accountId}, ${place.workspaceId}, ${topic}, 'never')`.execute(kysely());
    await changed(wanda);
    expect(await mailedLink(wanda.email)).toMatch(/^\/payout-details\/stop\/[\w-]{43}$/);
    const { text } = site.mailsTo(wanda.email)[0]!;
    expect(text).toContain('Northwind pays you');
    expect(text).toContain('Nothing is paid to the new ones before 2099-01-02 at 03:04 UTC.');
    expect(text).not.toMatch(/Wanda/);
  });

  it('is also sent, each in a mail of its own, to addresses that the account had in the last 30 days, but not to one that was undone', async () => {
    const wanda = await newWorker();
    const [recent, undone, old] = ['recent', 'undone', 'old'].map((name) => `${name}-${newId()}@people.example`);
    for (const [address, days, undoneAt] of [
      [recent, 10, null],
      [undone, 10, new Date()],
      [old, 40, null],
    ] as const)
      await sql`insert into address_change (id, account_id, email, secret_hash, expires_at, created_at, former_email, changed_at, undone_at)
        values (gen_random_uuid(), ${wanda.accountId}, ${wanda.email}, ${newId()}, now(), now(), ${address},
          now() - make_interval(days => ${days}), ${undoneAt})`.execute(kysely());
    await changed(wanda);
    const theirs = new Set([wanda.email, recent, undone, old]);
    const readers = () => site.catcher!.mails.map(({ to }) => to).filter((to) => theirs.has(to));
    // Each alone: the reader of a former mailbox does not learn the present address.
    await expect.poll(() => readers().toSorted(), { timeout: 10_000 }).toEqual([wanda.email, recent].toSorted());
  });

  it('is not sent to a worker without a sign-in, or to the admins', async () => {
    const admin = await site.person(place);
    const changeId = await changed({ workerId: newId() });
    const { rows } = await sql`select from payout_stop where change_id = ${changeId}`.execute(kysely());
    expect([rows, site.subjectsTo(admin.email)]).toEqual([[], []]);
  });

  it('has no link if it is sent when the change can no longer be stopped', async () => {
    const wanda = await newWorker();
    const changeId = await changed(wanda);
    await sql`update payout_stop set until = now() - interval '1 s' where change_id = ${changeId}`.execute(kysely());
    const { rows } = await sql<TakenMail>`select mail.id, tries from mail join notice on mail_id = mail.id
      where about_id = ${changeId}`.execute(kysely());
    const mail = mailOf(await readNotices(site.workspaces.em, rows[0]!), site.url, 'http://127.0.0.1/link')!;
    expect(mail.text).toContain('were changed on ');
    expect(mail.text).not.toContain('http');
  });
});

describe('the page of the link', () => {
  it('does nothing when it is opened, as mail programs do, or when a form is sent that it did not render', async () => {
    const wanda = await newWorker();
    const changeId = await changed(wanda);
    const link = await mailedLink(wanda.email);
    const stranger = site.browser();
    for (const _time of [1, 2]) {
      const page = await stranger.get(link);
      expect(page.status).toBe(200);
      expect(page.text).toContain('The details with which Northwind pays you were changed.');
      expect(page.text).toContain('Nothing is paid to the new ones before 2 Jan 2099, 03:04 UTC');
      expect(page.text).toContain('Northwind pays to your former details again, at once.');
      expect(page.html).not.toContain(wanda.email);
    }
    await stranger.post(link, {});
    expect(await eventsOf(changeId)).toEqual([]);
    expect(await isIn(wanda.browser)).toBe(true);
    expect((await site.browser().signIn(wanda.email, PASSWORD)).status).toBe(303);
  });

  it('keeps out a sign-in that was under way with the password', async () => {
    const wanda = await newWorker();
    await changed(wanda);
    const link = await mailedLink(wanda.email);
    const thief = site.browser();
    const form = await thief.get('/sign-in');
    const signIn = () => thief.submit(form, '/sign-in', { email: wanda.email, password: PASSWORD });
    await site.whileHashing(signIn, () => press(link));
    expect(await isIn(thief)).toBe(false);
  });

  it('has a button that stops the change, ends every sign-in and takes the password away', async () => {
    const wanda = await newWorker();
    await sql`update known_device set factor_trusted_until = now() + interval '30 days'
      where account_id = ${wanda.accountId}`.execute(kysely());
    const [reset] = await beginResets(site.workspaces.em, wanda.email);
    const changeId = await changed(wanda);
    const link = await mailedLink(wanda.email);
    const page = await press(link);
    expect(page.status).toBe(200);
    expect(page.text).toContain('The change is stopped');
    expect(page.text).toContain(
      'Northwind pays to your former details again. Nothing was or will be paid to the others.',
    );
    expect(page.text).toContain('Set a new one and look at your payout details.');
    expect(await eventsOf(changeId)).toEqual([{ body: { changeId } }]);
    expect(await isIn(wanda.browser)).toBe(false);
    expect((await wanda.browser.signIn(wanda.email, PASSWORD)).text).toContain('the password is wrong');
    expect((await site.browser().get(`/reset-password/${reset!.secret}`)).status).toBe(404);
    const trusted = sql`select from known_device
      where account_id = ${wanda.accountId} and factor_trusted_until > now()`;
    expect((await trusted.execute(kysely())).rows).toEqual([]);
    await expect.poll(() => site.subjectsTo(wanda.email)).toContain('Your password no longer works');
    const audit = sql`select action, change, via from audit_entry where workspace_id = ${place.workspaceId}
      and subject_id = ${wanda.accountId}`;
    expect((await audit.execute(kysely())).rows).toEqual([
      { action: 'account.password-removed', change: { changeId }, via: 'web' },
    ]);
  });

  it('used twice, says that the change is stopped, and leaves the new password and session alone', async () => {
    const wanda = await newWorker();
    const changeId = await changed(wanda);
    const link = await mailedLink(wanda.email);
    const late = site.browser();
    const form = await late.get(link);
    await press(link);
    const browser = await setsPassword(wanda.email);
    for (const page of [await browser.get(link), await late.submit(form, link)])
      expect([page.status, page.text]).toEqual([200, expect.stringContaining('The change is stopped')]);
    expect(await eventsOf(changeId)).toHaveLength(1);
    expect(await isIn(browser)).toBe(true);
  });

  it('says that nothing is stopped yet while payments cannot be reached, and stops it when pressed again', async () => {
    const wanda = await newWorker();
    const changeId = await changed(wanda);
    const link = await mailedLink(wanda.email);
    payments.isReachable = false;
    const browser = site.browser();
    const asked = await browser.get(link);
    const first = await browser.submit(asked, link);
    expect(first.status).toBe(503);
    expect(first.text).toContain(
      'The change is not stopped yet, because a part of the service cannot be reached. You are signed out everywhere. Press the button again in a minute, until this page says that the change is stopped',
    );
    expect(await isIn(wanda.browser)).toBe(false);
    const after = await setsPassword(wanda.email);
    expect((await browser.submit(first, link)).status).toBe(503);
    expect(await isIn(after)).toBe(true);
    payments.isReachable = true;
    const second = await browser.submit(first, link);
    expect([second.status, second.text]).toEqual([200, expect.stringContaining('The change is stopped')]);
    expect(await eventsOf(changeId)).toHaveLength(1);
    expect(await isIn(after)).toBe(true);
  });

  it('returns 404 for a wrong secret, and for a change that can no longer be stopped', async () => {
    const wanda = await newWorker();
    const changeId = await changed(wanda);
    const link = await mailedLink(wanda.email);
    const open = await site.browser().get(link);
    expect(open.status).toBe(200);
    const browser = site.browser();
    for (const wrong of ['x'.repeat(43), 'x', `${link.split('/').at(-1)!.slice(0, 42)}_`]) {
      const page = await browser.get(`/payout-details/stop/${wrong}`);
      expect([page.status, page.text]).toEqual([404, expect.stringContaining('This link is no longer open')]);
    }
    const form = await browser.get(link);
    payments.state = 'over';
    for (const page of [await browser.get(link), await browser.submit(form, link)]) {
      expect(page.status).toBe(404);
      expect(page.text).toContain('The change can no longer be stopped, or the payout details were changed again.');
      expect(page.text).toContain('tell the business that pays you at once');
    }
    expect(await eventsOf(changeId)).toEqual([]);
    expect(await isIn(wanda.browser)).toBe(true);
  });

  it('is not reached by the link of an access that has ended, once another account has changed the details', async () => {
    const wrong = await newWorker();
    const { workerId } = wrong;
    const changeId = await changed(wrong);
    const link = await mailedLink(wrong.email);
    await site.workspaces.run(
      endWorkerAccess,
      { workerId, hasSigned: false, reason: 'The wrong person' },
      place.origin,
    );
    const wanda = await newWorker(workerId);
    await changed(wanda, changeId);
    expect((await site.browser().get(await mailedLink(wanda.email))).status).toBe(200);
    expect((await site.browser().get(link)).status).toBe(404);
  });

  it('is reached by the link of each mail about one change, until a day after its hold', async () => {
    const wanda = await newWorker();
    const changeId = await changed(wanda);
    const first = await mailedLink(wanda.email);
    await changed(wanda, changeId);
    const second = await mailedLink(wanda.email, 2);
    expect(second).not.toBe(first);
    for (const link of [first, second]) expect((await site.browser().get(link)).status).toBe(200);
    await press(first);
    expect((await site.browser().get(second)).text).toContain('The change is stopped');
    expect(await eventsOf(changeId)).toHaveLength(1);
    await sql`update payout_stop set until = now() - interval '25 h' where change_id = ${changeId}`.execute(kysely());
    await deleteExpiredPayoutStops(site.workspaces.em);
    expect((await site.browser().get(first)).status).toBe(404);
  });
});

it('the secret of a link is in no table and no log', async () => {
  const lines: string[] = [];
  const log = createLog('workspaces', 'trace', { write: (line) => void lines.push(line), flushSync: () => undefined });
  await using other = await site.anotherProcess(log);
  const wanda = await newWorker();
  const changeId = await changed(wanda);
  const link = await mailedLink(wanda.email);
  await press(link, other.browser());
  expect(await eventsOf(changeId)).toHaveLength(1);
  const { rows: tables } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'workspaces' and tablename <> 'migration'`.execute(
    kysely(),
  );
  const rows = await Promise.all(
    tables.map(async ({ name }) => (await sql`select * from ${sql.table(name)}`.execute(kysely())).rows),
  );
  const text = lines.join() + JSON.stringify(rows);
  expect(lines.join()).toContain('/payout-details/stop/:secret');
  expect(text).toContain(changeId);
  expect(text).not.toContain(link.split('/').at(-1));
});
