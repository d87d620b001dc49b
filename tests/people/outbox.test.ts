import { newId, systemOrigin } from '@payroll/kernel';
import { read, readGeneration, sql, write } from '@payroll/store';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { dropMails } from '../../services/workspaces/src/mail/outbox.js';
import { setAccountPassword } from '../../services/workspaces/src/commands/accounts.js';
import { NO_WORKSPACE } from '../../services/workspaces/src/commands/installation.js';
import { removeMember } from '../../services/workspaces/src/commands/members.js';
import { keepNotice } from '../../services/workspaces/src/commands/notices.js';
import { endWorkerAccess, giveWorkerAccess } from '../../services/workspaces/src/commands/worker-access.js';
import { openSite, PASSWORD, type Person } from './site.js';
import type { Place } from '../../services/workspaces/test/support.js';
import { startUnreliableMailServer, type Treatment } from './unreliable-mail-server.js';

const OTHER_PASSWORD = 'seven lanterns under oak';

let place: Place;
let admin: Person;
const started = new AsyncDisposableStack();
const server = started.use(await startUnreliableMailServer());
const site = started.use(await openSite('outbox', {}, { url: server.url, from: 'Payroll <payroll@example.com>' }));
afterAll(async () => await started.disposeAsync());
beforeEach(async () => {
  server.treat = () => ({ treatment: 'accept', afterMs: 0 });
  place = await site.workspaces.provision();
  admin = await site.person(place);
});

const sentTo = (email: string) => server.accepted.filter(({ to }) => to === email);
const statesOf = async (accountId: string): Promise<string[]> => {
  const rows = (await read(
    site.workspaces.em,
    sql`
    select state from mail where account_id = ${accountId} order by created_at`,
  )) as { state: string }[];
  return rows.map(({ state }) => state);
};
/** As if the pause after a refused try were over. */
const passTime = async () => {
  await write(
    site.workspaces.em,
    sql`update mail set due_at = clock_timestamp() where state = 'waiting' and tries > 0
    and due_at < clock_timestamp() + interval '10 min'`,
  );
};
const setPassword = ({ accountId, email }: Person) =>
  site.workspaces.run(
    setAccountPassword,
    { accountId, email, name: 'Ada', passwordHash: 'x' },
    systemOrigin(NO_WORKSPACE, 'runner', newId()),
  );

it('a mail whose first three tries fail arrives with the Message-ID of the first', async () => {
  const treatments: Treatment[] = ['refuse', 'drop', 'refuse'];
  server.treat = () => ({ treatment: treatments.shift() ?? 'accept', afterMs: 0 });
  await setPassword(admin);
  await expect
    .poll(async () => {
      await passTime();
      return sentTo(admin.email);
    })
    .toHaveLength(1);
  expect(treatments).toEqual([]);
  const [{ id, subject }] = sentTo(admin.email) as [(typeof server.accepted)[number]];
  expect(subject).toBe('Your password was changed');
  const rows = await read(site.workspaces.em, sql`select id, tries from mail where account_id = ${admin.accountId}`);
  expect(rows).toEqual([{ id: id.slice(1, id.indexOf('@')), tries: 4 }]);
  await expect.poll(() => statesOf(admin.accountId)).toEqual(['sent']);
});

it('a changed password, a new browser and the end of an access are mailed', async () => {
  const { browser, email, accountId } = admin;
  const fields = { current: PASSWORD, password: OTHER_PASSWORD, repeated: OTHER_PASSWORD };
  expect((await browser.submit(await browser.get('/account/password'), '/account/password', fields)).status).toBe(303);
  await site.browser().signIn(email, OTHER_PASSWORD);
  await expect
    .poll(() =>
      sentTo(email)
        .map(({ subject }) => subject)
        .toSorted(),
    )
    .toEqual(['Your account was signed in to in a new browser', 'Your password was changed']);
  // A known browser causes no mail.
  await browser.submit(await browser.get('/account'), '/account/sign-out-everywhere', {});
  await browser.signIn(email, OTHER_PASSWORD);
  await expect.poll(() => statesOf(accountId)).toEqual(['sent', 'sent']);

  const worker = await site.account('Wanda Worker');
  const workerId = newId();
  const system = systemOrigin(place.workspaceId, 'runner', newId());
  await site.workspaces.run(giveWorkerAccess, { workerId, accountId: worker.id }, system);
  const ending = { workerId, hasSigned: true, reason: 'They asked for it' };
  await site.workspaces.run(endWorkerAccess, ending, place.origin);
  await expect.poll(() => sentTo(worker.email)).toHaveLength(1);
  const [{ subject, text }] = sentTo(worker.email) as [(typeof server.accepted)[number]];
  expect(subject).toBe('Your access to Northwind has ended');
  expect(text).not.toMatch(/They asked|Wanda|olga/);
});

it('a mail is given up after a day of tries, and dropped unsent after two days', async () => {
  server.treat = () => ({ treatment: 'refuse', afterMs: 0 });
  const insert = (tried: string | null, created: string) => sql`
    with written as (
      insert into mail (id, account_id, workspace_id, state, due_at, tries, first_tried_at, created_at)
      values (${newId()}, ${admin.accountId}, null, 'waiting', now(), 1, now() - ${tried}::interval, now() - ${created}::interval)
      returning id, account_id, created_at)
    insert into notice (source_id, account_id, mail_id, kind, about_id, created_at)
    select gen_random_uuid(), account_id, id, 'password_changed', account_id, created_at from written`;
  await write(site.workspaces.em, insert(null, '49 h'));
  await write(site.workspaces.em, insert('25 h', '26 h'));
  await write(site.workspaces.em, insert('23 h', '24 h'));
  await expect.poll(() => statesOf(admin.accountId)).toEqual(['dropped', 'given_up', 'waiting']);
  expect(sentTo(admin.email)).toEqual([]);
});

type Told = 'work_sent_back' | 'paid' | 'payout_details_needed' | 'work_waiting' | 'payment_failed';

/** As workspaces applies the event. @returns its id */
async function tell(kind: Told, workerId: string | null, id = newId()): Promise<string> {
  const { em, commands } = site.workspaces;
  const { workspaceId } = place;
  const aboutId = newId();
  const generation = await readGeneration(em);
  const envelope = { id, workspaceId, aboutId, occurredAt: '2026-11-27T09:00:00Z', requestId: newId(), generation };
  await commands.apply(keepNotice, { ...envelope, type: 'notice.work', body: { kind, aboutId, workerId } });
  return id;
}

const endGathering = async () => {
  await write(
    site.workspaces.em,
    sql`update mail set due_at = clock_timestamp() where state = 'waiting' and tries = 0`,
  );
};

describe('notices of a workspace', () => {
  it('are gathered for ten minutes into one mail for each person', async () => {
    const colleague = await site.person(place, 'admin');
    const viewer = await site.person(place, 'viewer');
    const worker = await site.account('Wanda Worker');
    const workerId = newId();
    const system = systemOrigin(place.workspaceId, 'runner', newId());
    await site.workspaces.run(giveWorkerAccess, { workerId, accountId: worker.id }, system);
    for (let n = 0; n < 3; n += 1) await tell('work_waiting', null);
    await tell('payment_failed', workerId);
    await tell('paid', workerId);
    await tell('work_sent_back', workerId);
    const rows = await read(
      site.workspaces.em,
      sql`
      select distinct round(extract(epoch from due_at - created_at) / 60)::int as minutes from mail
      where workspace_id = ${place.workspaceId}`,
    );
    expect(rows).toEqual([{ minutes: 10 }]);
    await endGathering();
    await expect.poll(() => [admin, colleague, worker].map(({ email }) => sentTo(email).length)).toEqual([1, 1, 1]);
    expect(sentTo(viewer.email)).toEqual([]);
    const [forAdmin, forWorker] = [sentTo(admin.email)[0]!, sentTo(worker.email)[0]!];
    expect(forAdmin.subject).toBe('News from Northwind');
    expect(forAdmin.text).toMatch(/handed in for review 3 times[^]*A payment failed[^]*\/workspaces\//);
    expect(forWorker.text).toMatch(/A payment to you was made[^]*sent back, to be corrected[^]*\/work\//);
    expect(forAdmin.text + forWorker.text).not.toMatch(/Ada|Wanda/);
    // The next notice begins another mail.
    await tell('work_waiting', null);
    await endGathering();
    await expect
      .poll(() => sentTo(admin.email).map(({ subject }) => subject))
      .toContain('Northwind: Work was handed in for review');
  });

  it('are written once for an event and an account', async () => {
    const id = await tell('work_waiting', null);
    await tell('work_waiting', null, id);
    expect(await read(site.workspaces.em, sql`select from notice where source_id = ${id}`)).toHaveLength(1);
  });

  it('are not mailed to a person who has left meanwhile', async () => {
    const colleague = await site.person(place, 'admin');
    await tell('work_waiting', null);
    const { membershipId: id } = colleague;
    await site.workspaces.run(removeMember, { id }, place.origin);
    await endGathering();
    await expect.poll(() => statesOf(colleague.accountId)).toEqual(['dropped']);
    await expect.poll(() => statesOf(admin.accountId)).toEqual(['sent']);
    expect(sentTo(colleague.email)).toEqual([]);
  });

  it('do not delay a mail about an account', async () => {
    await tell('work_waiting', null);
    let isHeld = true;
    server.treat = () => ({ treatment: 'accept', afterMs: isHeld ? 3_000 : 0 });
    await endGathering();
    await expect.poll(() => statesOf(admin.accountId)).toEqual(['waiting']);
    isHeld = false;
    await setPassword(admin);
    await expect.poll(() => sentTo(admin.email).map(({ subject }) => subject)).toContain('Your password was changed');
    await expect.poll(() => statesOf(admin.accountId)).toEqual(['sent', 'sent']);
  });
});

describe('choices of mail', () => {
  const path = '/account/mail';
  const choose = async (topic: string, rhythm: string) => {
    const name = `${topic}-${place.workspaceId}`;
    const answer = await admin.browser.submit(await admin.browser.get(path), path, { [name]: rhythm });
    expect([answer.status, answer.location]).toEqual([303, path]);
  };
  const gathered = async (): Promise<{ due: string; state: string }[]> => {
    const rows = await read(
      site.workspaces.em,
      sql`
      select to_char(due_at at time zone 'UTC', 'HH24:MI:SS') as due, state from mail
      where account_id = ${admin.accountId} order by is_daily`,
    );
    return rows as { due: string; state: string }[];
  };

  it('daily gathers until seven in the morning, beside a mail at once', async () => {
    await choose('work', 'daily');
    await tell('work_waiting', null);
    await tell('payment_failed', null);
    await tell('work_waiting', null);
    expect(await gathered()).toEqual([
      { due: expect.not.stringContaining('07:00:00') as string, state: 'waiting' },
      { due: '07:00:00', state: 'waiting' },
    ]);
    const rows = await read(
      site.workspaces.em,
      sql`select from mail where account_id = ${admin.accountId} and is_daily
      and due_at between now() and now() + interval '24 h'`,
    );
    expect(rows).toHaveLength(1);
    await endGathering();
    await expect.poll(() => sentTo(admin.email)).toHaveLength(2);
  });

  it('never writes no notice of the topic', async () => {
    await choose('work', 'never');
    await tell('work_waiting', null);
    expect(await gathered()).toEqual([]);
    await choose('work', 'at_once');
    await tell('work_waiting', null);
    expect(await gathered()).toHaveLength(1);
  });

  it('one click in a mail program ends the topics of the mail in its workspace, without a sign-in', async () => {
    await tell('work_waiting', null);
    await endGathering();
    await expect.poll(() => sentTo(admin.email)).toHaveLength(1);
    const { stopUrl, text } = sentTo(admin.email)[0]!;
    expect(text).toContain(path);
    expect((await fetch(stopUrl, { redirect: 'manual' })).headers.get('location')).toContain(path);
    const body = 'List-Unsubscribe=One-Click';
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    expect((await fetch(stopUrl, { method: 'POST', headers, body })).status).toBe(200);
    const rows = await read(
      site.workspaces.em,
      sql`select workspace_id as id, topic, rhythm from mail_choice
      where account_id = ${admin.accountId}`,
    );
    expect(rows).toEqual([{ id: place.workspaceId, topic: 'work', rhythm: 'never' }]);
    expect((await admin.browser.get(path)).html).toMatch(/value="never" selected/);
    // An id that no mail has changes nothing, and the answer does not tell.
    const stranger = stopUrl.replace(/[^/]*$/, newId());
    expect((await fetch(stranger, { method: 'POST', headers, body })).status).toBe(200);
  });

  it('a mail about the account has no such button, and its kind no choice', async () => {
    await choose('work', 'never');
    await setPassword(admin);
    await expect.poll(() => sentTo(admin.email).map(({ stopUrl }) => stopUrl)).toEqual(['']);
  });
});

it('the tables of the outbox have no column for a text, an address or a secret', async () => {
  const rows = (await read(
    site.workspaces.em,
    sql`
    select c.table_name || '.' || c.column_name as name, c.data_type as type,
      exists (
        select from pg_constraint where conrelid = (c.table_schema || '.' || c.table_name)::regclass
          and conname = c.table_name || '_' || c.column_name || '_check') as "isListed"
    from information_schema.columns c where table_schema = 'workspaces' and table_name in ('mail', 'notice', 'mail_choice', 'payout_stop')`,
  )) as { name: string; type: string; isListed: boolean }[];
  const harmless = ['uuid', 'boolean', 'timestamp with time zone', 'integer'];
  const others = rows.filter(({ type }) => !harmless.includes(type));
  expect(rows.length).toBeGreaterThan(10);
  expect(others.map(({ name, isListed }) => [name, isListed]).toSorted()).toEqual([
    ['mail.state', true],
    ['mail_choice.rhythm', true],
    ['mail_choice.topic', true],
    ['notice.kind', true],
  ]);
});

it('where no mail is sent, notices are dropped after an hour, so that no old news is sent once there is a mail server', async () => {
  await using without = await openSite('outbox_without_mail');
  const own = await without.person(await without.workspaces.provision());
  const fields = { current: PASSWORD, password: OTHER_PASSWORD, repeated: OTHER_PASSWORD };
  const page = await own.browser.get('/account/password');
  expect((await own.browser.submit(page, '/account/password', fields)).status).toBe(303);
  await without.browser().signIn(own.email, OTHER_PASSWORD);
  const { em } = without.workspaces;
  const states = async () => {
    await dropMails(em);
    return await read(em, sql`select state from mail`);
  };
  // In a rolling restart another process may send them.
  expect(await states()).toEqual([{ state: 'waiting' }, { state: 'waiting' }]);
  await write(em, sql`update mail set due_at = due_at - interval '61 min'`);
  expect(await states()).toEqual([{ state: 'dropped' }, { state: 'dropped' }]);
});
