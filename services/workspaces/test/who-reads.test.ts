import { newId, SCOPES, STAFF_TEAMS, type Actor, type Origin, type Role } from '@payroll/kernel';
import { afterAll, expect, it } from 'vitest';
import { inviteMember } from '../src/commands/invitations.js';
import { enableMcpClient, connectAssistant } from '../src/commands/connections.js';
import { Workspaces, type Place } from './support.js';

// The actors that may read how a workspace is managed, for every kind.

const workspaces = await Workspaces.open('workspaces_who_reads');
const [place, others] = [await workspaces.provision(), await workspaces.provision()];
const member = await workspaces.member(place, 'member');
for (const each of [place, others]) {
  await workspaces.key(each);
  const proof = { id: newId(), secretHash: newId() };
  await workspaces.run(
    inviteMember,
    { ...proof, name: 'Grace', email: 'grace@example.com', role: 'viewer' },
    each.origin,
  );
  await workspaces.run(enableMcpClient, { id: 'client', name: 'Assistant' }, each.origin);
  await connect(each, each.membershipId);
}
await connect(place, member);
afterAll(() => workspaces[Symbol.asyncDispose]());

async function connect({ origin }: Place, membershipId: string): Promise<void> {
  const client = { id: 'client', name: 'Assistant', hosts: [] };
  const input = {
    membershipId,
    subject: membershipId,
    client,
    scopes: ['read'] as const,
    enable: true,
    grantId: newId(),
  };
  await workspaces.run(connectAssistant, input, origin);
}

const LISTS = {
  members: '{ members { nodes { id } } }',
  invitations: '{ invitations { nodes { id } } }',
  apiKeys: '{ apiKeys { nodes { id } } }',
  mcpClients: '{ mcpClients { id } }',
  mcpConnections: '{ mcpConnections(includeRevoked: true) { nodes { id } } }',
  switches: '{ business { switches { writesEnabled } } }',
};

const rights = (principalId: string = newId()) => ({ principalId, workspaceId: place.workspaceId, scopes: SCOPES });
const person = (role: Role, principalId?: string): Actor => {
  const session = { person: 'ada@example.com', sessionId: newId(), hasRecentPassword: true };
  return { ...rights(principalId), ...session, kind: 'person', role };
};
const credential = (kind: 'api_key' | 'connection'): Actor => ({ ...rights(place.membershipId), kind, role: 'admin' });

/** The number of rows in each list for the actor; refused lists are left out. */
async function toldTo(actor: Actor): Promise<Record<string, number>> {
  const origin: Origin = { actor, via: 'web', requestId: newId() };
  const told: Record<string, number> = {};
  for (const [name, query] of Object.entries(LISTS)) {
    const { data, errors } = await workspaces.graphql(origin, query);
    if (errors) expect([name, errors[0]!.extensions.code]).toEqual([name, 'INSUFFICIENT_SCOPE']);
    else told[name] = /"(?:id|writesEnabled)":/g[Symbol.match](JSON.stringify(data))?.length ?? 0;
  }
  return told;
}

const ALL = { members: 2, invitations: 1, apiKeys: 1, mcpClients: 1, mcpConnections: 2, switches: 1 };

it('an admin reads everything of their workspace, and nothing of another', async () => {
  expect(await toldTo(person('admin', place.membershipId))).toEqual(ALL);
  const stranger = { ...person('admin', others.membershipId), workspaceId: others.workspaceId };
  expect(await toldTo(stranger)).toEqual({ ...ALL, members: 1, mcpConnections: 1 });
});

it('other members can read only their own connections', async () => {
  expect(await toldTo(person('member', member))).toEqual({ mcpConnections: 1 });
  expect(await toldTo(person('viewer', member))).toEqual({ mcpConnections: 1 });
  expect(await toldTo(person('viewer'))).toEqual({ mcpConnections: 0 });
});

it.each(['api_key', 'connection'] as const)('a credential (%s) of an admin reads no list', async (kind) => {
  expect(await toldTo(credential(kind))).toEqual({});
});

it.each(STAFF_TEAMS)('staff of the team %s read what their team may', async (team) => {
  const actor: Actor = { ...rights(), kind: 'staff', team, person: 'olga@example.com', role: null };
  expect(await toldTo(actor)).toEqual(['support', 'operations'].includes(team) ? ALL : {});
});

it('a member is found by admins in their own workspace only', async () => {
  const one = `{ member(id: "${member}") { name } }`;
  const ask = async (actor: Actor) => {
    const { errors } = await workspaces.graphql({ actor, via: 'web', requestId: newId() }, one);
    return errors?.[0]?.extensions.code ?? 'found';
  };
  expect(await ask(person('admin'))).toBe('found');
  expect(await ask({ ...person('admin'), workspaceId: others.workspaceId })).toBe('NOT_FOUND');
  expect(await ask(person('member', member))).toBe('INSUFFICIENT_SCOPE');
  expect(await ask(credential('api_key'))).toBe('INSUFFICIENT_SCOPE');
});
