import { newId, SCOPES, type Origin } from '@payroll/kernel';
import { read, sql } from '@payroll/store';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import {
  connectAssistant,
  renewMcpConnection,
  revokeMcpConnection,
} from '../../services/workspaces/src/commands/connections.js';
import { createApiKey, revokeApiKey, rotateApiKey } from '../../services/workspaces/src/commands/api-keys.js';
import { personIn } from '../../services/workspaces/src/domain/member.js';
import { openSite, type Person } from './site.js';
import { FAR, type Place } from '../../services/workspaces/test/support.js';

let place: Place;
let owner: Person;
let other: Person;
const site = await openSite('workspaces_owners');
const workspaces = site.workspaces;
afterAll(() => site[Symbol.asyncDispose]());
beforeEach(async () => {
  place = await workspaces.provision();
  owner = await site.person(place);
  other = await site.person(place, 'admin');
});

/** Both are admins of the workspace, and have just signed in. */
const as = ({ membershipId, ...session }: Person): Origin => {
  const actor = personIn(
    { workspaceId: place.workspaceId, membershipId, role: 'admin' },
    { ...session, isRecent: true },
  );
  return { actor, via: 'web', requestId: newId() };
};
const refused = { code: 'INSUFFICIENT_SCOPE' };

describe('a key of one admin', () => {
  const replacement = (replaces: string) => ({ replaces, id: newId(), expiresAt: FAR });

  it('an admin cannot rotate a key of another admin, whose secret would then be known to both', async () => {
    const { id } = await workspaces.key(place, owner.membershipId);
    await expect(workspaces.run(rotateApiKey(newId()), replacement(id), as(other))).rejects.toMatchObject(refused);
    expect(await workspaces.run(rotateApiKey(newId()), replacement(id), as(owner))).toMatchObject({
      memberId: owner.membershipId,
    });
    expect(await workspaces.run(rotateApiKey(newId()), replacement(id), place.application)).toMatchObject({
      name: 'Key',
    });
  });

  it('an admin cannot create a key for another admin, and can revoke one', async () => {
    const { id } = await workspaces.key(place, owner.membershipId);
    const made = { id: newId(), memberId: owner.membershipId, name: 'Key', expiresAt: FAR };
    const create = workspaces.run(createApiKey(newId()), { ...made, scopes: ['read'] }, as(other));
    await expect(create).rejects.toMatchObject(refused);
    const ended = await workspaces.run(revokeApiKey, { id }, as(other));
    expect(ended.revokedAt).not.toBeNull();
  });

  it('an admin is not offered to rotate a key of another admin', async () => {
    const { id } = await workspaces.key(place, owner.membershipId);
    const keys = `/workspaces/${place.workspaceId}/keys`;
    expect((await owner.browser.get(keys)).html).toContain(`${keys}/${id}/rotate`);
    const seen = await other.browser.get(keys);
    expect(seen.html).toContain(`${keys}/${id}/revoke`);
    expect(seen.html).not.toContain(`${keys}/${id}/rotate`);
    expect((await other.browser.get(`${keys}/${id}/rotate`)).status).toBe(403);
    const [, token] = /name="form_token" value="([^"]+)"/.exec(seen.html)!;
    const forged = await other.browser.post(`${keys}/${id}/rotate`, { form_token: token!, expiresAt: '2099-01-01' });
    expect(forged.status).toBe(403);
    expect(forged.html).not.toContain('sk_test_');
  });
});

describe('a connection of one admin', () => {
  const client = { id: 'assistant', name: 'Assistant', hosts: [] };
  const connect = (origin: Origin) =>
    workspaces.run(
      connectAssistant,
      { membershipId: owner.membershipId, subject: 's', client, scopes: SCOPES, enable: true, grantId: null },
      origin,
    );

  it('an admin cannot connect an assistant for another admin', async () => {
    await expect(connect(as(other))).rejects.toMatchObject(refused);
    expect(await connect(as(owner))).toHaveProperty('connectionId');
  });

  it('any admin can revoke a connection, and only its owner can renew it', async () => {
    const { connectionId: id } = await connect(as(owner));
    await workspaces.run(revokeMcpConnection, { id }, as(other));
    await expect(workspaces.run(renewMcpConnection, { id }, as(other))).rejects.toMatchObject(refused);
    await workspaces.run(renewMcpConnection, { id }, as(owner));
    const rows = await read(
      workspaces.em,
      sql`
      select count(*)::int as live from mcp_connection where workspace_id = ${place.workspaceId} and revoked_at is null`,
    );
    expect(rows).toEqual([{ live: 1 }]);
  });
});
