import type { AdmittedConnection, ConnectionAnswer } from '@payroll/admission';
import { newId, SCOPES, type Role, type Scope } from '@payroll/kernel';
import { decodeJwt, SignJWT } from 'jose';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { changeMemberRole, removeMember } from '../../src/commands/members.js';
import { disableMcpClient, enableMcpClient } from '../../src/commands/clients.js';
import { revokeMcpConnection } from '../../src/commands/connections.js';
import { setIntegrationSwitches } from '../../src/commands/business.js';
import { answerConnections, type ConnectionAdmissionOptions } from '../../src/connections/answer-connections.js';
import { connectionAdmission } from '../../src/connections/serve-connections.js';
import { newSigningKey, openSigningKey } from '../../src/oauth/key-ring.js';
import { listMcpConnections } from '../../src/queries/connections.js';
import type { Place } from '../support.js';
import { Client } from './client.js';
import { askAbout, Scene, SECRET, type Person } from './scene.js';

let scene: Scene;
let place: Place;
let client: Client;
let options: ConnectionAdmissionOptions;
beforeAll(async () => {
  scene = await Scene.open('workspaces_oauth_admission');
  client = await Client.register(scene.issuer);
  options = connectionAdmission(scene.workspaces, scene.process.server.settings);
});
afterAll(() => scene[Symbol.asyncDispose]());
beforeEach(async () => {
  place = await scene.workspaces.provision();
  const facts = { id: client.id, name: 'Assistant', hosts: ['client.example'] };
  await scene.workspaces.run(enableMcpClient, facts, place.origin);
});

const ask = (token: string, clientAddress?: string): Promise<ConnectionAnswer> =>
  askAbout(options, token, clientAddress);

const codeOf = (answer: ConnectionAnswer): string => ('admitted' in answer ? 'admitted' : answer.refused.code);

function admitted(answer: ConnectionAnswer): AdmittedConnection {
  if ('refused' in answer) throw new Error(answer.refused.message);
  return answer.admitted;
}

async function connect(role: Role, scope?: string): Promise<{ person: Person; token: string; refresh: string }> {
  const person = await scene.person([place, role]);
  const tokens = await client.signIn(await scene.signedIn(person), scope === undefined ? {} : { scope });
  return { person, token: tokens.access_token, refresh: tokens.refresh_token };
}

describe('what an assistant says', () => {
  it('is heard 600 times a minute for a connection, and uses up nothing of what its principal may ask of the API', async () => {
    const [{ token }, other] = [await connect('admin'), await connect('viewer')];
    const questions = Array.from({ length: 601 }, () => ({ accessToken: token, clientAddress: '192.0.2.1' }));
    const answers = await answerConnections(options, questions);
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
    ['admin', 'openid read', ['read']],
    ['admin', 'read timesheets:write', ['read', 'timesheets:write']],
    ['viewer', 'read timesheets:write', ['read']],
  ])('of a connection of a %s that signed in with "%s" are %j', async (role, scope, scopes) => {
    const { token } = await connect(role, scope);
    const { workspaceId } = place;
    expect(admitted(await ask(token))).toMatchObject({ workspaceId, workspaceName: 'Northwind', role, scopes });
  });

  it('of a sign-in with identity scopes follow the role at the very next question, down and up', async () => {
    const { person, token } = await connect('member');
    const id = person.memberships[0]!.membershipId;
    const seen: (readonly Scope[])[] = [];
    for (const role of ['admin', 'viewer', 'member'] as const) {
      await scene.workspaces.run(changeMemberRole, { id, role }, place.origin);
      seen.push(admitted(await ask(token)).scopes);
    }
    expect(seen).toEqual([SCOPES, ['read'], ['read', 'contracts:write']]);
  });

  it('that the role does not allow at all let nobody in', async () => {
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

  it('ends at once with its revocation, and consent after it makes a new one', async () => {
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

  it('does not come back with the client that is enabled again', async () => {
    const { token } = await connect('member');
    await scene.workspaces.run(disableMcpClient, { id: client.id }, place.origin);
    const facts = { id: client.id, name: 'Assistant', hosts: [] };
    await scene.workspaces.run(enableMcpClient, facts, place.origin);
    expect(codeOf(await ask(token))).toBe('INVALID_CREDENTIAL');
  });

  it('loses the tokens of a sign-in whose refresh token was used twice; other sign-ins go on', async () => {
    const { person, token, refresh } = await connect('admin');
    const other = await client.signIn(await scene.signedIn(person));
    await client.refresh(refresh);
    await client.refresh(refresh);
    expect(codeOf(await ask(token))).toBe('INVALID_CREDENTIAL');
    expect(codeOf(await ask(other.access_token))).toBe('admitted');
  });
});

describe('a token', () => {
  let token: string;
  beforeEach(async () => {
    ({ token } = await connect('admin'));
  });

  /** Signed with a real key of ours, unless it says otherwise. */
  async function forge(token: string, change: object, sign: { typ?: string; kid?: string } = {}): Promise<string> {
    const [row] = await scene.workspaces.em.execute<{ kid: string; sealed: string }[]>(
      'select kid, sealed from signing_key limit 1',
    );
    const key = openSigningKey(SECRET, row!.kid, row!.sealed);
    return await new SignJWT({ ...decodeJwt(token), ...change })
      .setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', kid: row!.kid, ...sign })
      .sign(key);
  }

  it('signed by us with everything in its place is let in (so that the next tests mean something)', async () => {
    expect(codeOf(await ask(await forge(token, {})))).toBe('admitted');
  });

  it.each([
    ['for another audience', { aud: 'https://other.example/mcp' }],
    ['of another issuer', { iss: 'https://other.example' }],
    ['that is over', { exp: 1_700_000_000 }],
    ['without an end', { exp: undefined }],
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

  it('of one workspace is worth nothing in another, where the same person has a connection too', async () => {
    const other = await scene.workspaces.provision();
    const claims = decodeJwt(token);
    expect(codeOf(await ask(await forge(token, { org_id: other.workspaceId })))).toBe('INVALID_CREDENTIAL');
    const { token: theirs } = await connect('admin');
    expect(codeOf(await ask(await forge(theirs, { grant_id: claims['grant_id'] })))).toBe('INVALID_CREDENTIAL');
  });

  it('that is an ID token, unsigned, altered or signed by somebody else is refused', async () => {
    const [header = '', payload = '', signature = ''] = token.split('.');
    const none = Buffer.from(JSON.stringify({ alg: 'none', typ: 'at+jwt' })).toString('base64url');
    const { kid, sealed } = await newSigningKey(SECRET);
    const stranger = await new SignJWT(decodeJwt(token))
      .setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', kid })
      .sign(openSigningKey(SECRET, kid, sealed));
    const altered = Buffer.from(JSON.stringify({ ...decodeJwt(token), scope: 'read' })).toString('base64url');
    const bad = [
      ...[`${none}.${payload}.`, `${none}.${payload}.${signature}`, `${header}.${altered}.${signature}`, stranger],
      ...[await forge(token, {}, { typ: 'JWT' }), `${token}x`, '', 'x', 'a.b.c', `${header}.${payload}`],
    ];
    for (const each of bad) expect(codeOf(await ask(each)), each).toBe('INVALID_CREDENTIAL');
  });

  it('that is wrong is refused without an answer after 30 from one address; a good one never is', async () => {
    const codes: string[] = [];
    for (let n = 0; n < 32; n++) codes.push(codeOf(await ask('wrong', '198.51.100.9')));
    expect(codes.filter((code) => code === 'INVALID_CREDENTIAL')).toHaveLength(30);
    expect(codes.at(-1)).toBe('RATE_LIMITED');
    expect(codeOf(await ask(token, '198.51.100.9'))).toBe('admitted');
  });
});
