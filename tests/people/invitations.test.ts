import { newId, systemOrigin } from '@payroll/kernel';
import { read, sql, write } from '@payroll/store';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { unknownPassword } from '../../services/workspaces/src/accounts/passwords.js';
import { newInvitationLink } from '../../services/workspaces/src/accounts/links.js';
import { setAccountPassword } from '../../services/workspaces/src/commands/accounts.js';
import { NO_WORKSPACE } from '../../services/workspaces/src/commands/installation.js';
import { inviteMember } from '../../services/workspaces/src/commands/invitations.js';
import { addMember, removeMember } from '../../services/workspaces/src/commands/members.js';
import type { Browser, Page } from '../../services/workspaces/test/pages/browser.js';
import { openSite, PASSWORD, type Person } from './site.js';
import type { Place } from '../../services/workspaces/test/support.js';

let place: Place;
let admin: Person;
let members: string;
let invited = 0;
const site = await openSite('workspaces_invitations');
afterAll(() => site[Symbol.asyncDispose]());
beforeEach(async () => {
  place = await site.workspaces.provision();
  admin = await site.person(place);
  members = `/workspaces/${place.workspaceId}/members`;
});

const newEmail = (): string => `guest${(invited += 1)}@example.com`;
const pathIn = ({ html }: Page): string => new URL(/id="once"[^>]* value="([^"]*)"/.exec(html)?.[1] ?? 'x:').pathname;
const tokenIn = ({ html }: Page): string => /name="form_token" value="([^"]*)"/.exec(html)?.[1] ?? '';
const NEWCOMER = { name: 'Grace Guest', password: PASSWORD, repeated: PASSWORD };

async function invite(email = newEmail(), role = 'member'): Promise<Page> {
  const form = await admin.browser.get(`${members}/invite`);
  return await admin.browser.submit(form, `${members}/invite`, { name: 'Grace', email, role });
}

async function accept(browser: Browser, link: string, fields: Record<string, string> = NEWCOMER): Promise<Page> {
  return await browser.submit(await browser.get(link), link, fields);
}

it('the page of a link says which role it gives', async () => {
  expect((await invite(newEmail(), 'admin')).text).toContain('becomes an admin here.');
});

it('a newcomer creates an account for the invited address and joins', async () => {
  const email = newEmail();
  const link = pathIn(await invite(` ${email.toUpperCase()}`, 'viewer'));
  const browser = site.browser();
  expect((await browser.get(link)).text).toContain('You are invited to join Northwind as a viewer.');
  const joined = await accept(browser, link);
  expect(joined).toMatchObject({ status: 303, location: `/workspaces/${place.workspaceId}` });
  const membership = await browser.get(`${joined.location!}/membership`);
  expect(membership.text).toContain('Welcome to Northwind.');
  expect(membership.text).toContain(`Grace Guest (${email})`);
  expect(membership.text).toContain('Your role Viewer');
  expect((await site.browser().signIn(email, PASSWORD)).status).toBe(303);
});

it('all of them are listed, a page at a time', async () => {
  for (let n = 0; n <= 50; n++) {
    const { link: _, ...proof } = newInvitationLink('');
    const invited = { ...proof, name: `Guest ${n}`, email: newEmail(), role: 'viewer' } as const;
    await site.workspaces.run(inviteMember, invited, place.origin);
  }
  const first = await admin.browser.get(members);
  expect([first.text.includes('Guest 50'), first.text.includes('Guest 0')]).toEqual([true, false]);
  const older = /href="([^"]*invitations=[^"]*)"/.exec(first.html)?.[1] ?? '';
  expect((await admin.browser.get(members + older)).text).toContain('Guest 0');
});

describe.each([
  ['is removed', '/remove', {}],
  ['is an admin no more', '', { role: 'member' }],
])('when an admin %s', (_, form, fields) => {
  it('their invitation links stop working, and those of other admins still work', async () => {
    const other = await site.person(place, 'admin');
    const inviteAs = async ({ browser }: Person): Promise<string> => {
      const page = await browser.get(`${members}/invite`);
      const invited = { name: 'Grace', email: newEmail(), role: 'admin' };
      return pathIn(await browser.submit(page, `${members}/invite`, invited));
    };
    const [theirs, mine] = [await inviteAs(other), await inviteAs(admin)];
    const path = `${members}/${other.membershipId}${form}`;
    expect((await admin.browser.submit(await admin.browser.get(path), path, fields)).status).toBe(303);
    const link = await site.browser().get(theirs);
    expect([link.status, link.text]).toEqual([
      404,
      expect.stringContaining('This invitation has been used, was withdrawn'),
    ]);
    expect((await accept(site.browser(), mine)).status).toBe(303);
    const actions = (await site.workspaces.audited(place.workspaceId)).map(({ action }) => action);
    expect(actions.filter((each) => each === 'invitation.revoked')).toHaveLength(1);
  });
});

it('a double click on Join joins once and leads to the workspace', async () => {
  const { browser } = await site.person(await site.workspaces.provision());
  const link = pathIn(await invite());
  const page = await browser.get(link);
  const joined = await browser.submit(page, link);
  expect(joined.location).toBe(`/workspaces/${place.workspaceId}`);
  expect(await browser.submit(page, link)).toMatchObject({ status: 303, location: joined.location });
  const other = await site.person(await site.workspaces.provision());
  const sent = { form_token: tokenIn(await other.browser.get('/account')) };
  expect((await other.browser.post(link, sent)).status).toBe(404);
});

describe('an invitation link is invalid', () => {
  const expectOver = async (link: string): Promise<void> => {
    const page = await site.browser().get(link);
    expect(page.status).toBe(404);
    expect(page.text).toContain('This invitation has been used, was withdrawn or has expired.');
    expect(page.html).toContain('<title>This invitation is no longer open');
  };

  it('once it was used, even by two people at the same time', async () => {
    const link = pathIn(await invite());
    const forms = await Promise.all([site.browser(), site.browser()].map(async (b) => [b, await b.get(link)] as const));
    const answers = await Promise.all(forms.map(([browser, form]) => browser.submit(form, link, NEWCOMER)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 404]);
    await expectOver(link);
  });

  it('once an admin has revoked it', async () => {
    const link = pathIn(await invite());
    const { html } = await admin.browser.get(members);
    const path = /href="([^"]*\/invitations\/[^"]*\/revoke)"/.exec(html)?.[1] ?? '';
    const form = await site.browser().get(link);
    await admin.browser.submit(await admin.browser.get(path), path);
    await expectOver(link);
    expect(form.status).toBe(200);
    expect((await admin.browser.get(members)).text).not.toContain('Withdraw');
  });

  it('after seven days', async () => {
    const link = pathIn(await invite());
    await write(
      site.workspaces.em,
      sql`update invitation set expires_at = now() where workspace_id = ${place.workspaceId}`,
    );
    await expectOver(link);
    expect((await admin.browser.get(members)).text).toContain('expired');
  });

  it('once the same address was invited again', async () => {
    const email = newEmail();
    const [first, second] = [pathIn(await invite(email)), pathIn(await invite(email))];
    await expectOver(first);
    expect((await site.browser().get(second)).status).toBe(200);
  });

  it('if it never existed', async () => {
    await expectOver('/invitations/nothing');
    await expectOver(`/invitations/${'A'.repeat(43)}`);
  });
});

it('its secret is in no column of the database', async () => {
  const secret = pathIn(await invite())
    .split('/')
    .at(-1)!;
  const rows = await read(
    site.workspaces.em,
    sql`
    select row_to_json(i)::text from invitation i union all select row_to_json(a)::text from audit_entry a
    union all select row_to_json(o)::text from applied_operation o`,
  );
  expect(rows.length).toBeGreaterThan(2);
  expect(JSON.stringify(rows)).not.toContain(secret);
});

it('a newcomer who is refused leaves no account, and can join with the same address later', async () => {
  const email = newEmail();
  const link = pathIn(await invite(email));
  const { workspaces } = site;
  const sameAddress = await workspaces.run(addMember, { name: 'Grace', email, role: 'viewer' }, place.origin);
  expect((await accept(site.browser(), link)).text).toContain('You are a member of this workspace already.');
  const rows = await read(
    workspaces.em,
    sql`
    select email from account where email = ${email}
    union all select action from audit_entry where workspace_id = ${place.workspaceId} and action = 'account.created'`,
  );
  expect(rows).toEqual([]);
  await workspaces.run(removeMember, { id: sameAddress.id }, place.origin);
  expect((await accept(site.browser(), link)).status).toBe(303);
});

it('a person with an account signs in and joins with it, whatever address was invited', async () => {
  const elsewhere = await site.workspaces.provision();
  const person = await site.person(elsewhere, 'viewer');
  const link = pathIn(await invite(newEmail(), 'admin'));
  const joined = await accept(person.browser, link, {});
  expect(joined.location).toBe(`/workspaces/${place.workspaceId}`);
  const choice = await person.browser.get('/workspaces');
  expect(choice.text).toMatch(/Northwind viewer|Northwind admin/);
  expect(choice.html.match(/href="\/workspaces\/[0-9a-f]/g)).toHaveLength(2);
  const again = await accept(person.browser, pathIn(await invite(newEmail())), {});
  expect(again.text).toContain('You are a member of this workspace already.');
});

it('a password that its owner replaces meanwhile joins without signing in', async () => {
  const { id: accountId, email } = await site.account();
  const link = pathIn(await invite(email));
  const browser = site.browser();
  const form = await browser.get(link);
  const reset = { accountId, email, name: '', passwordHash: unknownPassword() };
  const joined = await site.whileHashing(
    () => browser.submit(form, link, NEWCOMER),
    () => site.workspaces.run(setAccountPassword, reset, systemOrigin(NO_WORKSPACE, 'runner', newId())),
  );
  const to = `/workspaces/${place.workspaceId}`;
  expect(joined.location).toBe(`/sign-in?${new URLSearchParams({ return_to: to }).toString()}`);
  expect((await browser.get('/account')).location).toContain('/sign-in');
});

it.each([
  [{ name: '' }, 'Enter a name'],
  [{ password: 'passwordpassword', repeated: 'passwordpassword' }, 'This password is too easy to guess'],
  [{ repeated: 'something else entirely' }, 'The two passwords do not match'],
])('a newcomer is told what is wrong with %j, and the link stays valid', async (wrong, sentence) => {
  const link = pathIn(await invite());
  const browser = site.browser();
  const refused = await accept(browser, link, { ...NEWCOMER, ...wrong });
  expect(refused.status).toBe(422);
  expect(refused.text).toContain(sentence);
  expect((await accept(browser, link)).status).toBe(303);
});

it('all mistakes of a form are reported at once', async () => {
  const all = async (page: Promise<Page>) =>
    [...(await page).html.matchAll(/<a href="#([^"]*)">/g)].map(([, id]) => id);
  const nothing = { name: '', email: 'nobody', role: 'owner' };
  const form = await admin.browser.get(`${members}/invite`);
  expect(await all(admin.browser.submit(form, `${members}/invite`, nothing))).toEqual(['name', 'email', 'role']);
  const newcomer = accept(site.browser(), pathIn(await invite()), { name: '', password: 'short', repeated: 'other' });
  expect(await all(newcomer)).toEqual(['name', 'password', 'repeated']);
  const password = await admin.browser.get('/account/password');
  const wrong = { current: 'not this one', password: 'short', repeated: 'other' };
  expect(await all(admin.browser.submit(password, '/account/password', wrong))).toEqual([
    ...['current', 'password', 'repeated'],
  ]);
  const keys = `/workspaces/${place.workspaceId}/keys/new`;
  const key = admin.browser.submit(await admin.browser.get(keys), keys, { name: '', expiresAt: 'soon' });
  expect(await all(key)).toEqual(['name', 'scopes', 'expiresAt']);
});

it.each([
  [{ name: '' }, 'Enter a name'],
  [{ email: 'nobody' }, 'Enter an email address'],
  [{ role: 'owner' }, 'Choose a role'],
])('an invitation with %j is refused', async (wrong, sentence) => {
  const form = await admin.browser.get(`${members}/invite`);
  const fields = { name: 'Grace', email: newEmail(), role: 'member', ...wrong };
  const page = await admin.browser.submit(form, `${members}/invite`, fields);
  expect([page.status, page.text.includes(sentence)]).toEqual([422, true]);
});

it('a member without an account signs in through an admin’s link, without their old keys', async () => {
  const memberId = await site.workspaces.member(place, 'member');
  const key = await site.workspaces.key(place, memberId, ['read']);
  const rows = (await read(site.workspaces.em, sql`select email from membership where id = ${memberId}`)) as {
    email: string;
  }[];
  expect((await admin.browser.get(members)).text).toContain('cannot sign in yet');
  const browser = site.browser();
  await accept(browser, pathIn(await invite(rows[0]!.email, 'admin')));
  expect((await browser.get(`/workspaces/${place.workspaceId}/membership`)).text).toContain('Your role Member');
  // The admin could have opened the link, and would own keys that others use.
  expect(await site.workspaces.admitOne(key.credential)).toMatchObject({ admitted: false, code: 'INVALID_CREDENTIAL' });
  expect((await invite(rows[0]!.email)).text).toContain('Someone with this address is a member already');
});

it('keys of a removed member are revoked permanently; a person who returns is a new member', async () => {
  const email = newEmail();
  const browser = site.browser();
  await accept(browser, pathIn(await invite(email, 'admin')));
  const form = await browser.get(`/workspaces/${place.workspaceId}/keys/new`);
  const fields = { name: 'Mine', scopes: ['read'], expiresAt: '2099-01-01' };
  await browser.submit(form, `/workspaces/${place.workspaceId}/keys/new`, fields);
  const before = await memberships(email);
  const path = `${members}/${before[0]!.id}/remove`;
  await admin.browser.submit(await admin.browser.get(path), path);
  await accept(browser, pathIn(await invite(email, 'admin')), {});
  const after = await memberships(email);
  expect(after.map(({ id, left, live }) => [id === before[0]!.id, left, live])).toEqual([
    [true, true, 0],
    [false, false, 0],
  ]);
});

async function memberships(email: string) {
  const rows = await read(
    site.workspaces.em,
    sql`
    select m.id, m.left_at is not null as left,
      (select count(*)::int from api_key k where k.membership_id = m.id and k.revoked_at is null) as live
    from membership m where m.email = ${email} order by m.created_at`,
  );
  return rows as { id: string; left: boolean; live: number }[];
}
