import { newId } from '@payroll/kernel';
import { OPERATION_FIELD, TOKEN_FIELD } from '@payroll/pages';
import { afterAll, describe, expect, it } from 'vitest';
import { addMember } from '../../services/workspaces/src/commands/members.js';
import { openSite, type Person, type Route } from './site.js';

const site = await openSite('workspaces_roles');
const place = await site.workspaces.provision();
const elsewhere = await site.workspaces.provision();
const admin = await site.person(place);
afterAll(() => site[Symbol.asyncDispose]());

/** Allowed to every member; they revoke and renew their own connections. */
const FOR_ALL = new Set(
  ['/membership', '/connections', '/connections/revoke', '/connections/renew'].map(
    (room) => `/workspaces/:workspaceId${room}`,
  ),
);

/** Sections served by workspaces alone; the console's walk visits all of them. */
const SETTINGS = /^\/workspaces\/:workspaceId\/(?:keys|members|integration|connections|membership)\b/;
const inWorkspace = (): Route[] => site.routes.filter(({ url }) => SETTINGS.test(url));

/** Sends the form that the person's own page would send, or reads the page. */
async function ask({ browser }: Person, { method, url }: Route, workspaceId: string, id = newId()) {
  const path = url.replace(':workspaceId', workspaceId).replace(':id', id);
  if (method === 'GET') return await browser.get(path);
  const token = /name="form_token" value="([^"]*)"/.exec((await browser.get('/account')).html)?.[1] ?? '';
  return await browser.post(path, { [TOKEN_FIELD]: token, [OPERATION_FIELD]: newId() });
}

describe.each(['member', 'viewer'] as const)('a %s', (role) => {
  it('every page and form of the settings says that it is for admins', async () => {
    const person = await site.person(place, role);
    const rooms = inWorkspace().filter(({ url }) => !FOR_ALL.has(url));
    expect(rooms.length).toBeGreaterThan(15);
    for (const route of rooms) {
      const { status, text } = await ask(person, route, place.workspaceId);
      expect([route.method, route.url, status]).toEqual([route.method, route.url, 403]);
      expect(text).toContain(`This is for admins of Northwind; you are a ${role}.`);
    }
  });

  it('sees their own role, and how to leave', async () => {
    const { browser, membershipId } = await site.person(place, role);
    const own = `/workspaces/${place.workspaceId}/membership`;
    const page = await browser.get(own);
    expect(page.text).toContain(`Your role ${role.charAt(0).toUpperCase()}${role.slice(1)}`);
    expect(page.text).not.toContain('API keys');
    const path = `/workspaces/${place.workspaceId}/members/${membershipId}/remove`;
    const left = await browser.submit(await browser.get(path), path);
    expect(left).toMatchObject({ status: 303, location: '/workspaces' });
    expect((await browser.get(own)).status).toBe(404);
  });
});

it('a workspace is 404 to people outside it, on every route', async () => {
  const ids = [elsewhere.workspaceId, newId(), 'no-id', `${place.workspaceId}'`];
  for (const route of inWorkspace()) {
    for (const id of ids) {
      const { status } = await ask(admin, route, encodeURIComponent(id));
      expect([route.url, id, status]).toEqual([route.url, id, 404]);
    }
  }
});

it("resources of another workspace are not found through one's own", async () => {
  const key = await site.workspaces.key(elsewhere);
  const ids = [key.id, elsewhere.membershipId, newId(), 'no-id'];
  const routes = inWorkspace().filter(({ url, method }) => {
    // The page to revoke an invitation does not read it first.
    return url.includes(':id') && !(method === 'GET' && url.includes('/invitations/'));
  });
  for (const route of routes) {
    for (const id of ids) {
      const { status } = await ask(admin, route, place.workspaceId, id);
      expect([route.method, route.url, id, status]).toEqual([route.method, route.url, id, 404]);
    }
  }
});

it('a person whose role was lowered is refused from the next request on', async () => {
  const other = await site.person(place, 'admin');
  const keys = `/workspaces/${place.workspaceId}/keys`;
  expect((await other.browser.get(keys)).status).toBe(200);
  const path = `/workspaces/${place.workspaceId}/members/${other.membershipId}`;
  const answer = await admin.browser.submit(await admin.browser.get(path), path, { role: 'member' });
  expect(answer.status).toBe(303);
  expect((await admin.browser.get(answer.location!)).text).toContain('is now member.');
  expect((await other.browser.get(keys)).status).toBe(403);
});

it('a form for a role that was opened before another admin changed it does not take the change back', async () => {
  const { membershipId } = await site.person(place, 'admin');
  const path = `/workspaces/${place.workspaceId}/members/${membershipId}`;
  const [{ browser }, form] = [admin, await admin.browser.get(path)];
  const lowered = await browser.submit(form, path, { role: 'viewer' });
  const late = await browser.submit(form, path, { role: 'admin' });
  expect([lowered.status, late.status]).toEqual([303, 422]);
  expect(late.text).toContain('has been changed to viewer since you saw it');
  expect((await browser.submit(form, path, { role: 'viewer' })).status).toBe(303);
  expect((await browser.submit(late, path, { role: 'admin' })).status).toBe(303);
});

it('a double click on removing a member or on leaving says that it is done', async () => {
  const { browser, membershipId } = await site.person(place, 'viewer');
  const path = `/workspaces/${place.workspaceId}/members/${membershipId}/remove`;
  const twice = async (by: Person['browser'], form: string) => {
    const page = await by.get(form);
    return [await by.submit(page, form), await by.submit(page, form)] as const;
  };
  const someone = { name: 'Grace Hopper', email: `${newId()}@example.com`, role: 'member' } as const;
  const { id } = await site.workspaces.run(addMember, someone, place.origin);
  const [, again] = await twice(admin.browser, path.replace(membershipId, id));
  expect(again.status).toBe(303);
  expect((await admin.browser.get(again.location!)).text).toContain('Grace Hopper is removed.');
  const [left, after] = await twice(browser, path);
  expect([left.status, after.status, after.text]).toEqual([
    ...[303, 404],
    expect.stringContaining('You do not belong to this workspace, or no longer do.'),
  ]);
});

it('the last admin can neither leave nor get a lower role', async () => {
  const own = await site.workspaces.provision();
  const { browser, membershipId } = await site.person(own);
  const path = `/workspaces/${own.workspaceId}/members/${membershipId}`;
  const lowered = await browser.submit(await browser.get(path), path, { role: 'viewer' });
  const left = await browser.submit(await browser.get(`${path}/remove`), `${path}/remove`);
  for (const { status, text } of [lowered, left]) {
    expect(status).toBe(422);
    expect(text).toContain('This is the last admin who can sign in; make someone else an admin first.');
  }
  expect((await browser.get(`/workspaces/${own.workspaceId}/keys`)).status).toBe(200);
});

it('pages and forms send signed-out visitors to sign in, return them, and do nothing before', async () => {
  for (const route of inWorkspace()) {
    const path = route.url.replace(':workspaceId', place.workspaceId).replace(':id', newId());
    const stranger = site.browser();
    const form = await stranger.get('/sign-in');
    const token = /name="form_token" value="([^"]*)"/.exec(form.html)?.[1] ?? '';
    if (route.method === 'GET') {
      const location = `/sign-in?return_to=${encodeURIComponent(path)}`;
      expect(await stranger.get(path)).toMatchObject({ status: 303, location });
    } else {
      const page = await stranger.post(path, { [TOKEN_FIELD]: token });
      expect([route.url, page.status, page.location]).toEqual([route.url, 401, null]);
      const back = /name="return_to" value="([^"]*)"/.exec(page.html)?.[1] ?? '';
      expect([path, path.startsWith(back) && back !== '/']).toEqual([path, true]);
    }
  }
});
