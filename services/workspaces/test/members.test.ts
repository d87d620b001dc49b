import { newId, type Origin, SCOPES, systemOrigin } from '@payroll/kernel';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { unknownPassword } from '../src/accounts/passwords.js';
import { newInvitationLink } from '../src/accounts/links.js';
import { setAccountPassword } from '../src/commands/accounts.js';
import { NO_WORKSPACE } from '../src/commands/installation.js';
import { acceptInvitation, inviteMember, revokeInvitation } from '../src/commands/invitations.js';
import { linkAccount } from '../src/commands/members.js';
import { giveWorkerAccess, inviteWorker } from '../src/commands/worker-access.js';
import { apiKey, FAR, Workspaces, type Answer, type Place } from './support.js';

let place: Place;
const workspaces = await Workspaces.open('workspaces_members');
afterAll(() => workspaces[Symbol.asyncDispose]());
beforeEach(async () => {
  place = await workspaces.provision();
});

const only = ({ data }: Answer): Record<string, unknown> => Object.values(data ?? {})[0] as Record<string, unknown>;
const codes = ({ errors = [] }: Answer): string[] => errors.map(({ extensions }) => extensions.code);
const ask = (operation: string): Promise<Answer> => workspaces.graphql(place.application, operation);
const remove = (id: string): Promise<Answer> => ask(`mutation { removeMember(id: "${id}") { leftAt } }`);

interface Page {
  nodes: Record<string, string>[];
  hasMore: boolean;
  nextCursor: string | null;
}
const page = async (query: string): Promise<Page> => only(await ask(query)) as unknown as Page;

describe('members', () => {
  it('have unique addresses, ignoring case, while they are in the workspace', async () => {
    const add = () => ask('mutation { addMember(name: "Ben", email: "Ben@Example.com", role: viewer) { id email } }');
    const ben = only(await add());
    expect(ben['email']).toBe('ben@example.com');
    expect((await add()).errors?.[0]?.extensions).toMatchObject({ details: [{ path: 'email', code: 'taken' }] });
    await remove(String(ben['id']));
    const again = only(await add());
    expect(again['id']).not.toBe(ben['id']);
  });

  it.each([
    ['name', 'name: " ", email: "x@example.com"'],
    ['name', `name: "${'n'.repeat(201)}", email: "x@example.com"`],
    ['email', 'name: "x", email: "x"'],
  ])('are refused with an invalid %s (%#)', async (path, args) => {
    const { errors } = await ask(`mutation { addMember(${args}, role: viewer) { id } }`);
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'VALIDATION_FAILED', details: [{ path }] });
  });

  it('are listed newest first, page by page, with those who left on request', async () => {
    const gone = await workspaces.member(place, 'viewer');
    await workspaces.member(place, 'member');
    await remove(gone);
    const list = async (args: string): Promise<Page> =>
      await page(`{ members(${args}) { nodes { name role leftAt } hasMore nextCursor } }`);
    expect((await list('limit: 9')).nodes.map(({ role }) => role)).toEqual(['member', 'admin']);
    const first = await list('limit: 2, includeLeft: true');
    const rest = await list(`limit: 2, includeLeft: true, cursor: "${first.nextCursor}"`);
    expect([...first.nodes, ...rest.nodes].map(({ role, leftAt }) => [role, leftAt !== null])).toEqual([
      ['member', false],
      ['viewer', true],
      ['admin', false],
    ]);
    expect(codes(await ask(`{ members(limit: 2, cursor: "${first.nextCursor}") { hasMore } }`))).toEqual([
      'INVALID_REQUEST',
    ]);
  });
});

it('a role is not changed if the caller expects another one than it is now', async () => {
  const id = await workspaces.member(place, 'member');
  const change = (args: string) => ask(`mutation { changeMemberRole(id: "${id}", ${args}) { role } }`);
  expect(only(await change('role: viewer, expectedRole: member'))).toEqual({ role: 'viewer' });
  expect(codes(await change('role: admin, expectedRole: member'))).toEqual(['INVALID_STATE']);
  expect(only(await change('role: viewer, expectedRole: member'))).toEqual({ role: 'viewer' });
  expect(only(await change('role: admin'))).toEqual({ role: 'admin' });
});

describe('the last admin', () => {
  it('cannot leave or change role until there is another', async () => {
    const { membershipId } = place;
    const demote = () => ask(`mutation { changeMemberRole(id: "${membershipId}", role: viewer) { role } }`);
    expect(codes(await remove(membershipId))).toEqual(['INVALID_STATE']);
    expect(codes(await demote())).toEqual(['INVALID_STATE']);
    const other = await workspaces.member(place, 'admin');
    expect(only(await demote())).toEqual({ role: 'viewer' });
    expect(codes(await remove(other))).toEqual(['INVALID_STATE']);
    expect(only(await remove(membershipId))['leftAt']).toBeTruthy();
    expect(codes(await remove(membershipId))).toEqual(['NOT_FOUND']);
  });
});

it('a member who leaves loses their keys, each with an audit entry; other keys stay', async () => {
  const id = await workspaces.member(place, 'member');
  const [one, two] = [await workspaces.key(place, id, ['read']), await workspaces.key(place, id, ['read'])];
  const kept = await workspaces.key(place);
  await remove(id);
  const { nodes } = await page('{ apiKeys { nodes { id revokedAt } } }');
  expect(new Map(nodes.map((key) => [key['id'], key['revokedAt'] !== null]))).toEqual(
    new Map([
      [kept.id, false],
      [two.id, true],
      [one.id, true],
    ]),
  );
  const audit = (await workspaces.audited(place.workspaceId)).slice(-3);
  expect(audit.map(({ action }) => action).toSorted()).toEqual(['api-key.revoked', 'api-key.revoked', 'member.left']);
  expect(new Set(audit.map(({ subjectId }) => subjectId))).toEqual(new Set([id, one.id, two.id]));
});

describe('API keys', () => {
  const create = (input: object): Promise<Answer> =>
    workspaces.graphql(
      place.application,
      'mutation ($input: ApiKeyInput!) { createApiKey(input: $input) { secret apiKey { id scopes } } }',
      { input: { memberId: place.membershipId, name: 'Key', scopes: ['read'], expiresAt: FAR, ...input } },
    );

  it.each([
    ['name', 'too_short', { name: '' }],
    ['scopes', 'too_short', { scopes: [] }],
    ['scopes', 'unknown', { scopes: ['everything'] }],
    ['expiresAt', 'past', { expiresAt: '2020-01-01T00:00:00Z' }],
  ])('are refused when %s is %s', async (path, code, input) => {
    expect((await create(input)).errors?.[0]?.extensions).toMatchObject({ details: [{ path, code }] });
  });

  it("have no scope beyond their member's role", async () => {
    const memberId = await workspaces.member(place, 'member');
    const { errors } = await create({ memberId, scopes: ['read', 'timesheets:write'] });
    expect(errors?.[0]?.extensions.details).toEqual([{ path: 'scopes', code: 'beyond_role' }]);
    expect(codes(await create({ memberId: newId() }))).toEqual(['NOT_FOUND']);
  });

  it('show their secret once, and never in a list or in the audit trail', async () => {
    const made = only(await create({ scopes: ['read', 'read'], expiresAt: '2099-01-01T00:00:00.1234567Z' }));
    const rotate = `mutation { rotateApiKey(id: "${(made['apiKey'] as { id: string }).id}", expiresAt: "${FAR}") {
      secret apiKey { id principalId } } }`;
    const rotated = only(await ask(rotate));
    expect(made['apiKey']).toMatchObject({ scopes: ['read'] });
    const list = await page(
      '{ apiKeys { nodes { id name principalId memberId scopes expiresAt revokedAt createdAt } } }',
    );
    expect(new Set(list.nodes.map(({ principalId }) => principalId)).size).toBe(1);
    const seen = JSON.stringify([list, await workspaces.audited(place.workspaceId)]);
    for (const secret of [made['secret'], rotated['secret']]) {
      expect(secret).toMatch(/^sk_test_/);
      expect(seen).not.toContain(String(secret).split('_')[3]);
    }
  });

  it('are created once per operation; a repeated operation returns the key without its secret', async () => {
    const [operationId, id] = [newId(), newId()];
    const make = (name: string) =>
      workspaces.graphql(
        place.application,
        `mutation ($input: ApiKeyInput!, $operationId: ID) {
          createApiKey(input: $input, operationId: $operationId) { secret apiKey { id name } } }`,
        { input: { memberId: place.membershipId, name, scopes: ['read'], expiresAt: FAR }, operationId },
      );
    const [first, again] = [only(await make('Key')), only(await make('Key'))];
    expect([again['apiKey'], again['secret']]).toEqual([first['apiKey'], null]);
    expect(codes(await make('Another'))).toEqual(['IDEMPOTENCY_KEY_REUSED']);
    const made = (first['apiKey'] as { id: string }).id;
    const rotate = () =>
      ask(
        `mutation { rotateApiKey(id: "${made}", expiresAt: "${FAR}", operationId: "${id}") { secret apiKey { id } } }`,
      );
    const [fresh, replayed] = [only(await rotate()), only(await rotate())];
    expect([replayed['apiKey'], replayed['secret']]).toEqual([fresh['apiKey'], null]);
    const kept = await workspaces.em.execute<object[]>('select t::text as row from applied_operation t');
    const hashes = await workspaces.em.execute<{ hash: string }[]>('select secret_hash as hash from api_key');
    for (const secret of [first, fresh].map(({ secret }) => String(secret).split('_')[3]!)) {
      expect(JSON.stringify(kept)).not.toContain(secret);
    }
    for (const { hash } of hashes) expect(JSON.stringify(kept)).not.toContain(hash);
    expect((await page('{ apiKeys { nodes { id } } }')).nodes).toHaveLength(2);
  });

  it('can be rotated unless revoked, and revoked once', async () => {
    const { id } = await workspaces.key(place);
    const revoke = () => ask(`mutation { revokeApiKey(id: "${id}") { revokedAt } }`);
    const first = only(await revoke());
    expect(only(await revoke())).toEqual(first);
    expect(codes(await ask(`mutation { rotateApiKey(id: "${id}", expiresAt: "${FAR}") { secret } }`))).toEqual([
      'INVALID_STATE',
    ]);
    const actions = (await workspaces.audited(place.workspaceId)).map(({ action }) => action);
    expect(actions.filter((action) => action === 'api-key.revoked')).toHaveLength(1);
  });

  it('are listed page by page, in their own workspace only', async () => {
    for (const _ of [1, 2, 3]) await workspaces.key(place);
    await workspaces.key(await workspaces.provision());
    const first = await page('{ apiKeys(limit: 2) { nodes { id } hasMore nextCursor } }');
    const rest = await page(`{ apiKeys(limit: 2, cursor: "${first.nextCursor}") { nodes { id } hasMore nextCursor } }`);
    expect([first.nodes.length, rest.nodes.length, rest.hasMore]).toEqual([2, 1, false]);
  });
});

it.each(['{ members { hasMore } }', '{ apiKeys { hasMore } }'])('%s is for internal teams', async (query) => {
  expect(codes(await workspaces.graphql(apiKey(place.workspaceId), query))).toEqual(['INSUFFICIENT_SCOPE']);
});

it('an invitation is revoked once, even if its inviter or member is removed later', async () => {
  const invite = (email: string) => {
    const { id, secretHash } = newInvitationLink('');
    return workspaces.run(inviteMember, { id, secretHash, name: 'Ben', email, role: 'viewer' }, place.application);
  };
  const { id } = await invite('ben@example.com');
  const revoke = () => workspaces.run(revokeInvitation, { id }, place.application);
  const first = await revoke();
  expect(first).toMatchObject({ id, acceptedAt: null, revokedAt: expect.any(String) as string });
  expect(await revoke()).toEqual(first);
  await invite('ben@example.com');
  const audit = await workspaces.audited(place.workspaceId);
  expect(audit.filter(({ action }) => action === 'invitation.revoked')).toHaveLength(1);
});

describe('a person, who is known by their address', () => {
  const email = 'wanda@example.com';
  const systemOf = (workspaceId: string) => systemOrigin(workspaceId, 'runner', newId());
  /** One of two accounts with the same address. */
  const account = async (): Promise<string> => {
    const input = { accountId: null, email, name: 'Wanda', passwordHash: unknownPassword() };
    return (await workspaces.run(setAccountPassword, input, systemOf(NO_WORKSPACE))).accountId;
  };
  const give = async (): Promise<void> => {
    await workspaces.run(
      giveWorkerAccess,
      { workerId: newId(), accountId: await account() },
      systemOf(place.workspaceId),
    );
  };
  const invite = async (): Promise<Origin & { secretHash: string }> => {
    const { id, secretHash } = newInvitationLink('https://accounts.example');
    await workspaces.run(inviteMember, { id, secretHash, name: 'Wanda', email, role: 'admin' }, place.application);
    const holder = { kind: 'person', person: email, principalId: id, role: null } as const;
    const unsigned = { sessionId: null, hasRecentPassword: false, scopes: SCOPES };
    const actor = { ...holder, ...unsigned, workspaceId: place.workspaceId };
    return { actor, via: 'web', requestId: newId(), secretHash };
  };
  const accept = async ({ secretHash, ...origin }: Origin & { secretHash: string }): Promise<unknown> => {
    const joining = { kind: 'newcomer', name: 'Wanda', passwordHash: unknownPassword() } as const;
    return await workspaces.run(acceptInvitation, { secretHash, joining }, origin);
  };

  it('cannot be a worker where they are a member, with another account either', async () => {
    await accept(await invite());
    await expect(give()).rejects.toThrow('is a member of this workspace already');
  });

  it('is not invited to be what they cannot become', async () => {
    const asWorker = async (workerId = newId()): Promise<unknown> => {
      const { id, secretHash } = newInvitationLink('https://accounts.example');
      const input = { id, secretHash, workerId, name: 'Wanda', email };
      return await workspaces.run(inviteWorker, input, place.application);
    };
    const refusal = (code: string) => expect.objectContaining({ details: [{ path: 'email', code }] });
    await accept(await invite());
    await expect(asWorker()).rejects.toEqual(refusal('member'));
    place = await workspaces.provision();
    await give();
    await expect(asWorker()).rejects.toEqual(refusal('worker'));
    await expect(invite()).rejects.toEqual(refusal('worker'));
    // Nor one that is invited already: the link that was mailed first would end without a word.
    place = await workspaces.provision();
    const wanda = newId();
    await asWorker(wanda);
    await expect(asWorker()).rejects.toEqual(refusal('invited'));
    await expect(invite()).rejects.toEqual(refusal('worker'));
    await asWorker(wanda);
  });

  it('cannot be a member where they are a worker, with another account either', async () => {
    const invitation = await invite();
    await give();
    await expect(accept(invitation)).rejects.toThrow('is a worker of this workspace already');
    const { id } = only(await ask(`mutation { addMember(name: "Wanda", email: "${email}", role: admin) { id } }`));
    const link = { membershipId: String(id), accountId: await account() };
    await expect(workspaces.run(linkAccount, link, systemOf(place.workspaceId))).rejects.toThrow(
      'is a worker of this workspace already',
    );
  });
});
