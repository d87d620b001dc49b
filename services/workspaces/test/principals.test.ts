import { newId, type Origin, type Role, ROLE_SCOPES } from '@payroll/kernel';
import { sql } from 'kysely';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { unknownPassword } from '../src/accounts/passwords.js';
import { newInvitationLink } from '../src/accounts/links.js';
import { acceptInvitation } from '../src/commands/invitations.js';
import { removeMember } from '../src/commands/members.js';
import { inviteWorker } from '../src/commands/worker-access.js';
import { Workspaces, type Place } from './support.js';

let place: Place;
const workspaces = await Workspaces.open('workspaces_principals');
afterAll(() => workspaces[Symbol.asyncDispose]());
beforeEach(async () => {
  place = await workspaces.provision();
});

function person({ workspaceId, membershipId }: Place, role: Role): Origin {
  const rights = { principalId: membershipId, workspaceId, role, scopes: ROLE_SCOPES[role] };
  return {
    actor: { kind: 'person', person: 'ada@example.com', sessionId: newId(), hasRecentPassword: true, ...rights },
    via: 'web',
    requestId: newId(),
  };
}

async function named(...ids: string[]): Promise<unknown> {
  const query = `query ($of: [_Any!]!) { _entities(representations: $of) { ... on Principal { id memberName name } } }`;
  const of = ids.map((id) => ({ __typename: 'Principal', id }));
  const { data } = await workspaces.graphql(person(place, 'viewer'), query, { of });
  return data?.['_entities'];
}

it('a member is named, even after leaving', async () => {
  const id = await workspaces.member(place, 'member');
  const both = [
    { id: place.membershipId, memberName: 'Ada', name: null },
    { id, memberName: 'member', name: null },
  ];
  expect(await named(place.membershipId, id)).toEqual(both);
  await workspaces.run(removeMember, { id }, place.origin);
  expect(await named(place.membershipId, id)).toEqual(both);
});

it('a worker is named, also as the person who accepts the invitation', async () => {
  const { id, secretHash } = newInvitationLink('https://accounts.example');
  const worker = { workerId: newId(), name: 'Wanda', email: 'wanda@example.com' };
  await workspaces.run(inviteWorker, { id, secretHash, ...worker }, place.application);
  const unsigned = { role: null, sessionId: null, hasRecentPassword: false, scopes: [] };
  const { workspaceId } = place;
  await workspaces.run(
    acceptInvitation,
    { secretHash, joining: { kind: 'newcomer', name: 'Wanda Worker', passwordHash: unknownPassword() } },
    {
      actor: { kind: 'person', person: worker.email, principalId: id, workspaceId, ...unsigned },
      via: 'web',
      requestId: newId(),
    },
  );
  const joined = (await workspaces.audited(workspaceId)).find(({ action }) => action === 'worker-access.joined')!;
  const access = String(joined.change['access']);
  expect(await named(joined.principalId, access)).toEqual(
    [id, access].map((each) => ({ id: each, memberName: 'Wanda Worker', name: null })),
  );
});

it('a key is named with its member, after any number of rotations', async () => {
  const key = await workspaces.key(place);
  await workspaces.rotate(place, key);
  expect(await named(key.principalId)).toEqual([{ id: key.principalId, memberName: 'Ada', name: 'Key' }]);
});

it('a connection is named with its assistant', async () => {
  const [id, { workspaceId, membershipId }] = [newId(), place];
  const db = workspaces.em.getKysely();
  await sql`insert into mcp_client (workspace_id, id, name, hosts, status, created_at, changed_at)
    values (${workspaceId}, 'claude', 'Claude', '{}', 'enabled', now(), now())`.execute(db);
  await sql`insert into mcp_connection (id, workspace_id, client_id, membership_id, subject, principal_id, scopes, created_at)
    values (${newId()}, ${workspaceId}, 'claude', ${membershipId}, 's', ${id}, '{read}', now())`.execute(db);
  expect(await named(id)).toEqual([{ id, memberName: 'Ada', name: 'Claude' }]);
});

it('principals of another workspace are not named', async () => {
  const other = await workspaces.provision();
  const key = await workspaces.key(other);
  expect(await named(other.membershipId, key.principalId, newId(), 'none')).toEqual([null, null, null, null]);
});
