import { newApiKey } from '@payroll/admission';
import { newId, type Origin } from '@payroll/kernel';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { changeMemberRole } from '../../services/workspaces/src/commands/members.js';
import { createApiKey, rotateApiKey } from '../../services/workspaces/src/commands/api-keys.js';
import { setIntegrationSwitches } from '../../services/workspaces/src/commands/business.js';
import {
  enableMcpClient,
  connectAssistant,
  renewMcpConnection,
  revokeMcpConnection,
} from '../../services/workspaces/src/commands/connections.js';
import { inviteMember } from '../../services/workspaces/src/commands/invitations.js';
import { personIn } from '../../services/workspaces/src/domain/member.js';
import type { Page } from '../../services/workspaces/test/pages/browser.js';
import { openSite, PASSWORD, type Person } from './site.js';
import { FAR, type Place } from '../../services/workspaces/test/support.js';

let place: Place;
let admin: Person;
let room: string;
const site = await openSite('workspaces_recent_password');
afterAll(() => site[Symbol.asyncDispose]());
beforeEach(async () => {
  place = await site.workspaces.provision();
  admin = await site.person(place);
  room = `/workspaces/${place.workspaceId}`;
});

describe('a person who entered their password more than ten minutes ago', () => {
  const me = (): Origin => {
    const actor = personIn({ ...place, membershipId: admin.membershipId, role: 'admin' }, { ...admin, isRecent: true });
    return { actor, via: 'web', requestId: newId() };
  };
  const proof = () => ({ id: newId(), secretHash: newApiKey('test').hash });
  const connect = (by = me(), grantId: string | null = newId()) => {
    const client = { id: newId(), name: 'Assistant', hosts: [] };
    const whose = { membershipId: admin.membershipId, subject: admin.accountId };
    const input = { ...whose, client, scopes: ['read'] as const, enable: true, grantId };
    return site.workspaces.run(connectAssistant, input, by);
  };
  const asks = {
    'to make a key': () => {
      const input = {
        id: newId(),
        memberId: admin.membershipId,
        name: 'Key',
        scopes: ['read'] as const,
        expiresAt: FAR,
      };
      return site.workspaces.run(createApiKey(newId()), input, me());
    },
    'to rotate a key': async () => {
      const { id } = await site.workspaces.key(place, admin.membershipId);
      return await site.workspaces.run(rotateApiKey(newId()), { id: newId(), replaces: id, expiresAt: FAR }, me());
    },
    'to change a role': async () => {
      const id = await site.workspaces.member(place, 'viewer');
      return await site.workspaces.run(changeMemberRole, { id, role: 'member' }, me());
    },
    'to invite anybody': () => {
      const input = { ...proof(), name: 'Grace', email: `${newId()}@example.com`, role: 'viewer' as const };
      return site.workspaces.run(inviteMember, input, me());
    },
    'to enable a client': () =>
      site.workspaces.run(enableMcpClient, { id: newId(), name: 'Assistant', hosts: [] }, me()),
    'to connect a client': () => connect(),
    'to allow an ended connection again': async () => {
      const { connectionId: id } = await connect(place.origin, null);
      await site.workspaces.run(revokeMcpConnection, { id }, place.origin);
      await site.workspaces.run(renewMcpConnection, { id }, me());
    },
    'to switch the API on': async () => {
      const on = { integrationEnabled: true, writesEnabled: true };
      await site.workspaces.run(setIntegrationSwitches, { ...on, writesEnabled: false }, place.origin);
      await site.workspaces.run(setIntegrationSwitches, on, me());
    },
  };

  it.each(Object.entries(asks))('is not allowed by the service itself %s', async (_, ask) => {
    await site.age(admin, 9);
    await ask();
    await site.age(admin, 1);
    await expect(ask()).rejects.toMatchObject({ code: 'INSUFFICIENT_SCOPE' });
  });

  it('may still revoke what acts for them, and disable the API', async () => {
    await site.age(admin, 11);
    const { connectionId: id } = await connect(place.origin);
    await site.workspaces.run(revokeMcpConnection, { id }, me());
    const off = { integrationEnabled: false, writesEnabled: false };
    expect(await site.workspaces.run(setIntegrationSwitches, off, me())).toMatchObject(off);
  });

  it('cannot use the session of another person', async () => {
    const other = await site.person(place, 'admin');
    await site.age(admin, 11);
    const actor = personIn({ ...place, membershipId: admin.membershipId, role: 'admin' }, { ...other, isRecent: true });
    const id = await site.workspaces.member(place, 'viewer');
    const borrowed = site.workspaces.run(changeMemberRole, { id, role: 'member' }, { ...me(), actor });
    await expect(borrowed).rejects.toMatchObject({ code: 'INSUFFICIENT_SCOPE' });
  });
});

const confirm = async (page: Page, password = PASSWORD): Promise<Page> => {
  expect(page).toMatchObject({ status: 303, location: expect.stringMatching(/^\/sign-in\/again\?/) as string });
  return await admin.browser.submit(await admin.browser.get(page.location!), '/sign-in/again', { password });
};

it('has to enter it before the form, and then not again for ten minutes', async () => {
  const member = await site.workspaces.member(place, 'viewer');
  const { id } = await site.workspaces.key(place, admin.membershipId);
  for (const path of [
    `${room}/members/invite`,
    `${room}/keys/new`,
    `${room}/keys/${id}/rotate`,
    `${room}/members/${member}`,
  ]) {
    await site.age(admin, 11);
    const asked = await admin.browser.get(path);
    expect((await confirm(asked, 'something else')).text).toContain('This is not your password');
    expect(await confirm(asked)).toMatchObject({ status: 303, location: path });
    expect((await admin.browser.get(path)).status).toBe(200);
  }
});

it('has to enter it if filling in a form took too long; the form has done nothing and returns as typed', async () => {
  const path = `${room}/members/invite`;
  const form = await admin.browser.get(path);
  await site.age(admin, 11);
  const typed = { name: 'Grace <b>', email: 'grace@example.com', role: 'admin' };
  const asked = await admin.browser.submit(form, path, typed);
  expect(asked.location).not.toContain('grace');
  const { location } = await confirm(asked);
  expect(location).toBe(path);
  const again = await admin.browser.get(path);
  expect(again.text).toContain('Nothing has been done yet.');
  expect(again.html).toMatch(/value="Grace &lt;b>"/);
  expect(again.html).toMatch(/value="grace@example.com"/);
  expect(again.html).toMatch(/<input[^>]*checked[^>]*value="admin"|value="admin"[^>]*checked/);
  expect((await admin.browser.get(`${room}/members`)).text).not.toContain('grace@example.com');
  expect((await admin.browser.submit(again, path, typed)).text).toContain('Invitation link');
  expect((await admin.browser.get(path)).html).not.toContain('grace@example.com');
});

it('wrong passwords count as they do on the sign-in page', async () => {
  const browser = site.browser();
  await browser.signIn(admin.email, PASSWORD);
  const form = await browser.get('/sign-in/again');
  const statuses: number[] = [];
  for (let n = 0; n < 11; n += 1) {
    statuses.push((await browser.submit(form, '/sign-in/again', { password: `wrong ${n}` })).status);
  }
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 422), 429]);
});
