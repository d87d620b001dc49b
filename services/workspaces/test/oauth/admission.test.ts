import type { AdmittedConnection, ConnectionResponse } from '@payroll/admission';
import { newId, SCOPES, type Role, type Scope } from '@payroll/kernel';
import { decodeJwt, SignJWT } from 'jose';
import { sql } from 'kysely';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { changeMemberRole, removeMember } from '../../src/commands/members.js';
import { disableMcpClient, enableMcpClient, revokeMcpConnection } from '../../src/commands/connections.js';
import { setIntegrationSwitches } from '../../src/commands/business.js';
import { handleConnectionAdmission, connectionAdmission } from '../../src/admission/handle-connections.js';
import { newSigningKey, openSigningKey } from '../../src/oauth/key-ring.js';
import { listMcpConnections } from '../../src/queries/credentials.js';
import type { Place } from '../support.js';
import { Client } from './client.js';
import { askAbout, Scene, SECRET, type Person, codeOf } from './scene.js';

let place: Place;
const scene = await Scene.open('workspaces_oauth_admission');
const client = await Client.register(scene.issuer);
const options = connectionAdmission(scene.workspaces, scene.process.server.settings);
afterAll(() => scene[Symbol.asyncDispose]());
beforeEach(async () => {
  place = await scene.workspaces.provision();
  const facts = { id: client.id, name: 'Assistant', hosts: ['client.example'] };
  await scene.workspaces.run(enableMcpClient, facts, place.origin);
});

const ask = (token: string, clientAddress?: string): Promise<ConnectionResponse> =>
  askAbout(options, token, clientAddress);

function admitted(answer: ConnectionResponse): AdmittedConnection {
  if ('refused' in answer) throw new Error(answer.refused.message);
  return answer.admitted;
}

async function connect(role: Role, scope?: string): Promise<{ person: Person; token: string; refresh: string }> {
  const person = await scene.person([place, role]);
  const tokens = await client.signIn(await scene.signedIn(person), scope === undefined ? {} : { scope });
  return { person, token: tokens.access_token, refresh: tokens.refresh_token };
}

describe('messages of an assistant', () => {
  it('limits a connection to 600 messages a minute, separately from its API limits', async () => {
    const [{ token }, other] = [await connect('admin'), await connect('viewer')];
    const questions = Array.from({ length: 601 }, () => ({ accessToken: token, clientAddress: '192.0.2.1' }));
    const answers = await handleConnectionAdmission(options, questions);
    expect(answers.filter((answer) => 'admitted' in answer)).toHaveLength(600);
    const refused = answers.at(-1)!;
    if ('admitted' in refused) throw new Error('one too many was let in');
    expect(refused.refused).toMatchObject({ code: 'RATE_LIMITED', message: expect.stringContaining('Try again in') });
    expect(admitted(await ask(other.token)).role).toBe('viewer');
    const { principalId } = admitted(answers[0]!);
    const { rows } = await sql<{ subject: string }>`
      select subject from rate_counter where subject like ${`%${principalId}`}`.execute(
      scene.workspaces.em.getKysely(),
    );
    expect(rows).toEqual([{ subject: `messages/${principalId}` }]);
    await scene.workspaces.age(refused.refused.retryAfterSeconds!);
    expect(codeOf(await ask(token))).toBe('admitted');
  });
});

describe('scopes', () => {
  it.each<[Role, string, readonly Scope[]]>([
    ['admin', 'openid profile email offline_access', SCOPES],
    ['member', 'openid', ['read', 'contracts:write']],
    ['viewer', 'openid', ['read']],
    ['viewer', '', ['read']],
    ['viewer', 'foo', ['read']],
    ['viewer', 'offline_access', ['read']],
    ['admin', 'foo read', ['read']],
    ['admin', 'foo openid', SCOPES],
    ['admin', 'openid read', ['read']],
    ['admin', 'read timesheets:write', ['read', 'timesheets:write']],
    ['viewer', 'read timesheets:write', ['read']],
  ])('of a connection of a %s that signed in with "%s" are %j', async (role, scope, scopes) => {
    const { token } = await connect(role, scope);
    const { workspaceId } = place;
    expect(admitted(await ask(token))).toMatchObject({ workspaceId, workspaceName: 'Northwind', role, scopes });
  });

  it('of a sign-in with identity scopes follow the role from the very next request', async () => {
    const { person, token } = await connect('member');
    await scene.person([place, 'admin']);
    const id = person.memberships[0]!.membershipId;
    const seen: (readonly Scope[])[] = [];
    for (const role of ['admin', 'viewer', 'member'] as const) {
      await scene.workspaces.run(changeMemberRole, { id, role }, place.origin);
      seen.push(admitted(await ask(token)).scopes);
    }
    expect(seen).toEqual([SCOPES, ['read'], ['read', 'contracts:write']]);
  });

  it('a sign-in whose scopes the role does not allow is refused', async () => {
    const { token } = await connect('viewer', 'timesheets:write');
    expect(codeOf(await ask(token))).toBe('INSUFFICIENT_SCOPE');
  });
});

describe('a connection', () => {
  const principalOf = async (token: string): Promise<string> => admitted(await ask(token)).principalId;

  async function connectionOf(principalId: string): Promise<{ id: string }> {
    const page = { includeRevoked: false, limit: 9 };
    const { nodes } = await listMcpConnections(scene.workspaces.em, place.origin.actor, page);
    return nodes.find((each) => each.principalId === principalId)!;
  }

  it('ends at once when revoked, and a new consent makes a new one', async () => {
    const { person, token, refresh } = await connect('admin');
    const principalId = await principalOf(token);
    const { id } = await connectionOf(principalId);
    await scene.workspaces.run(revokeMcpConnection, { id }, place.origin);
    expect(codeOf(await ask(token))).toBe('INVALID_CREDENTIAL');
    expect(await client.refresh(refresh)).toMatchObject({ body: { error: 'invalid_grant' } });
    const again = await client.signIn(await scene.signedIn(person));
    expect(admitted(await ask(again.access_token)).principalId).not.toBe(principalId);
    expect(codeOf(await ask(token))).toBe('INVALID_CREDENTIAL');
  });

  it.each<[string, (person: Person) => Promise<unknown>, string]>([
    [
      'its member leaves',
      (person) => scene.workspaces.run(removeMember, { id: person.memberships[0]!.membershipId }, place.origin),
      'INVALID_CREDENTIAL',
    ],
    [
      'its client is disabled',
      () => scene.workspaces.run(disableMcpClient, { id: client.id }, place.origin),
      'INVALID_CREDENTIAL',
    ],
    [
      'integrations are switched off',
      () =>
        scene.workspaces.run(setIntegrationSwitches, { integrationEnabled: false, writesEnabled: false }, place.origin),
      'INTEGRATION_DISABLED',
    ],
  ])('is refused at once when %s', async (_, change, code) => {
    const { person, token, refresh } = await connect('member');
    expect(codeOf(await ask(token))).toBe('admitted');
    await change(person);
    expect(codeOf(await ask(token))).toBe(code);
    const refreshed = await client.refresh(refresh);
    expect(refreshed.status).toBe(code === 'INVALID_CREDENTIAL' ? 400 : 200);
  });

  it('stays revoked when its client is enabled again', async () => {
    const { token } = await connect('member');
    await scene.workspaces.run(disableMcpClient, { id: client.id }, place.origin);
    const facts = { id: client.id, name: 'Assistant', hosts: [] };
    await scene.workspaces.run(enableMcpClient, facts, place.origin);
    expect(codeOf(await ask(token))).toBe('INVALID_CREDENTIAL');
  });

  it('loses its tokens when a refresh token is used again after half a minute; other sign-ins keep theirs', async () => {
    const { person, token, refresh } = await connect('admin');
    const other = await client.signIn(await scene.signedIn(person));
    await client.refresh(refresh);
    await scene.ageUses(31);
    await client.refresh(refresh);
    expect(codeOf(await ask(token))).toBe('INVALID_CREDENTIAL');
    expect(codeOf(await ask(other.access_token))).toBe('admitted');
  });
});

describe('an access token', () => {
  let token: string;
  beforeEach(async () => {
    ({ token } = await connect('admin'));
  });

  /** Signs with one of our real keys unless `sign` says otherwise. */
  async function forge(token: string, change: object, sign: { typ?: string; kid?: string } = {}): Promise<string> {
    const [row] = await scene.workspaces.em.execute<{ kid: string; sealed: string }[]>(
      'select kid, sealed from signing_key limit 1',
    );
    const key = openSigningKey(SECRET, row!.kid, row!.sealed);
    return await new SignJWT({ ...decodeJwt(token), ...change })
      .setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', kid: row!.kid, ...sign })
      .sign(key);
  }

  it('signed by us with all claims is admitted (control for the tests below)', async () => {
    expect(codeOf(await ask(await forge(token, {})))).toBe('admitted');
  });

  it.each([
    ['for another audience', { aud: 'https://other.example/mcp' }],
    ['of another issuer', { iss: 'https://other.example' }],
    ['that has expired', { exp: 1_700_000_000 }],
    ['without an expiry', { exp: undefined }],
    ['without organization', { org_id: undefined }],
    ['without client', { client_id: undefined }],
    ['without scope', { scope: undefined }],
    ['with an empty scope', { scope: '' }],
    ['without grant', { grant_id: undefined }],
    ['of another client', { client_id: 'other' }],
    ['of another subject', { sub: newId() }],
  ])('%s is refused', async (_, change) => {
    expect(codeOf(await ask(await forge(token, change)))).toBe('INVALID_CREDENTIAL');
  });

  it('of one workspace is refused in another, even if the person has a connection there', async () => {
    const other = await scene.workspaces.provision();
    const claims = decodeJwt(token);
    expect(codeOf(await ask(await forge(token, { org_id: other.workspaceId })))).toBe('INVALID_CREDENTIAL');
    const { token: theirs } = await connect('admin');
    expect(codeOf(await ask(await forge(theirs, { grant_id: claims['grant_id'] })))).toBe('INVALID_CREDENTIAL');
  });

  it('that is an ID token, unsigned, altered or signed with another key is refused', async () => {
    const [header = '', payload = '', signature = ''] = token.split('.');
    const none = Buffer.from(JSON.stringify({ alg: 'none', typ: 'at+jwt' })).toString('base64url');
    const { kid, sealed } = await newSigningKey(SECRET);
    const stranger = await new SignJWT(decodeJwt(token))
      .setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', kid })
      .sign(openSigningKey(SECRET, kid, sealed));
    const altered = Buffer.from(JSON.stringify({ ...decodeJwt(token), scope: 'read' })).toString('base64url');
    const bad = [
      `${none}.${payload}.`,
      `${none}.${payload}.${signature}`,
      `${header}.${altered}.${signature}`,
      stranger,
      await forge(token, {}, { typ: 'JWT' }),
      `${token}x`,
      '',
      'x',
      'a.b.c',
      `${header}.${payload}`,
    ];
    for (const each of bad) expect(codeOf(await ask(each)), each).toBe('INVALID_CREDENTIAL');
  });

  it('that is invalid gets 429 after 30 from one address; a valid one never does', async () => {
    const codes: string[] = [];
    for (let n = 0; n < 32; n++) codes.push(codeOf(await ask('wrong', '198.51.100.9')));
    expect(codes.filter((code) => code === 'INVALID_CREDENTIAL')).toHaveLength(30);
    expect(codes.at(-1)).toBe('RATE_LIMITED');
    expect(codeOf(await ask(token, '198.51.100.9'))).toBe('admitted');
  });
});
