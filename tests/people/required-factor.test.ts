import { newId } from '@payroll/kernel';
import { hashSecret } from '@payroll/pages';
import { read, sql } from '@payroll/store';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { requireSecondFactor } from '../../services/workspaces/src/commands/business.js';
import { personIn } from '../../services/workspaces/src/domain/member.js';
import { codeOf, secretIn } from '../../services/workspaces/test/pages/factors.js';
import { question, type Place } from '../../services/workspaces/test/support.js';
import { openSite, PASSWORD, type Person } from './site.js';

let place: Place;
let admin: Person;
let room: string;
let path: string;
const site = await openSite('workspaces_required_factor');
afterAll(() => site[Symbol.asyncDispose]());
beforeEach(async () => {
  place = await site.workspaces.provision();
  admin = await site.person(place);
  room = `/workspaces/${place.workspaceId}`;
  path = `${room}/members/second-factor`;
});

const FACTOR = '/account/second-factor';

/** Sets a second factor up. @returns where the page of the recovery codes leads on to */
async function setsUp({ browser }: Person, from = FACTOR): Promise<string> {
  const form = await browser.get(from);
  const { html } = await browser.submit(form, FACTOR, { code: codeOf(secretIn(form)) });
  return /class="button button-main" href="([^"]*)"/.exec(html)![1]!;
}

/** The admin turns it on, or off again. */
async function turns(): Promise<void> {
  const { browser } = admin;
  expect(await browser.submit(await browser.get(path), path)).toMatchObject({
    status: 303,
    location: `${room}/members`,
  });
}

it('an admin with a second factor requires it; another admin is led to set it up, and then goes on', async () => {
  const other = await site.person(place, 'admin');
  await setsUp(admin);
  expect((await admin.browser.get(path)).text).toContain('These admins have none yet:');
  await turns();
  const led = await other.browser.get(`${room}/members`);
  const to = `${FACTOR}?return_to=${encodeURIComponent(`${room}/members`)}`;
  expect(led).toMatchObject({ status: 303, location: to });
  expect(await setsUp(other, to)).toBe(`${room}/members`);
  expect((await other.browser.get(`${room}/members`)).text).toContain('Admins need a second factor to act here.');
});

it('a form sent just after it became required is restored with what was typed', async () => {
  const other = await site.person(place, 'admin');
  await setsUp(admin);
  const form = await other.browser.get(`${room}/members/invite`);
  await turns();
  const asked = await other.browser.submit(form, `${room}/members/invite`, {
    name: 'Typed name',
    email: '',
    role: 'viewer',
  });
  expect([asked.status, asked.text]).toEqual([401, expect.stringContaining('requires a second factor')]);
  const signedIn = await other.browser.submit(asked, '/sign-in', { email: other.email, password: PASSWORD });
  const { location } = await other.browser.get(signedIn.location!);
  const back = await other.browser.get(await setsUp(other, location!));
  expect([back.text, back.html]).toEqual([
    expect.stringContaining('Nothing has been done yet.'),
    expect.stringContaining('value="Typed name"'),
  ]);
});

it('is refused by admission to the session of an admin without one; keys, members and other workspaces go on', async () => {
  const [other, member, elsewhere] = [
    await site.person(place, 'admin'),
    await site.person(place, 'member'),
    await site.workspaces.provision(),
  ];
  const stranger = await site.person(elsewhere);
  const key = await site.workspaces.key(place, other.membershipId);
  await setsUp(admin);
  await turns();
  const asked = ({ browser }: Person, { workspaceId }: Place) => {
    const proof = hashSecret(browser.cookies.get('session')!);
    return question({ kind: 'session', proof }, { via: 'web', scope: null, workspaceId, limit: 'writes' });
  };
  const answers = await site.workspaces.admit([
    asked(other, place),
    asked(admin, place),
    asked(member, place),
    asked(stranger, elsewhere),
    question(key.credential, { limit: 'writes' }),
  ]);
  expect(answers.map(({ admitted }) => admitted)).toEqual([false, true, true, true, true]);
  expect(answers[0]).toMatchObject({
    code: 'INSUFFICIENT_SCOPE',
    details: [{ path: 'second_factor', code: 'missing' }],
  });
});

it('cannot be removed while a workspace requires it, and can once that is turned off', async () => {
  await setsUp(admin);
  await turns();
  const removes = async () => {
    return await admin.browser.submit(await admin.browser.get(`${FACTOR}/remove`), `${FACTOR}/remove`);
  };
  const refused = await removes();
  expect(refused.status).toBe(409);
  expect(refused.text).toContain('requires a second factor of its admins, and you are one.');
  await turns();
  expect((await removes()).status).toBe(303);
});

it('is decided by admins in person alone, who have one and gave their password a short time ago', async () => {
  const { browser } = admin;
  expect((await browser.get(path)).text).toContain('Only an admin who has a second factor can require it');
  const me = (isRecent: boolean, role: 'admin' | 'member' = 'admin') => ({
    actor: personIn({ ...place, membershipId: admin.membershipId, role }, { ...admin, isRecent }),
    via: 'web' as const,
    requestId: newId(),
  });
  const decide = (by: Parameters<typeof site.workspaces.run>[2]) =>
    site.workspaces.run(requireSecondFactor, { isRequired: true }, by);
  await expect(decide(me(true))).rejects.toMatchObject({ details: [{ path: 'second_factor' }] });
  await setsUp(admin);
  await expect(decide(me(true, 'member'))).rejects.toMatchObject({ code: 'INSUFFICIENT_SCOPE' });
  await expect(decide(place.origin)).rejects.toMatchObject({ code: 'INSUFFICIENT_SCOPE' });
  await expect(decide(me(false))).rejects.toMatchObject({ details: [{ path: 'password' }] });
  await decide(me(true));
  const rows = await read(
    site.workspaces.em,
    sql`select action, change from audit_entry
    where workspace_id = ${place.workspaceId} and action = 'business.second-factor-required'`,
  );
  expect(rows).toEqual([{ action: expect.any(String), change: { secondFactorRequired: { from: false, to: true } } }]);
});
