import {
  parseAssertion,
  verifyActorToken,
  type AdmissionResponse,
  type AdmissionRequest,
  type AdmissionGranted,
  type BearerCredential,
} from '@payroll/admission';
import { SCOPES, type Role } from '@payroll/kernel';
import { sql } from 'kysely';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { handleAdmission } from '../../src/admission/handle-admission.js';
import { changeMemberRole, removeMember } from '../../src/commands/members.js';
import { disableMcpClient, enableMcpClient } from '../../src/commands/connections.js';
import { setIntegrationSwitches } from '../../src/commands/business.js';
import { assertionKey, connectionAdmission } from '../../src/admission/handle-connections.js';
import { question, type Place, type Question, codeOf } from '../support.js';
import { Client, type Tokens } from './client.js';
import { askAbout, Scene, SECRET, type Person } from './scene.js';

let place: Place;
const scene = await Scene.open('workspaces_oauth_assertions');
const client = await Client.register(scene.issuer);
afterAll(() => scene[Symbol.asyncDispose]());
beforeEach(async () => {
  place = await scene.workspaces.provision();
  await scene.workspaces.run(enableMcpClient, { id: client.id, name: 'Assistant', hosts: [] }, place.origin);
});

interface Connected {
  person: Person;
  tokens: Tokens;
  principalId: string;
  credential: BearerCredential;
}

/** Connects a person and returns the assertion that the MCP server gets for the connection. */
async function connect(role: Role, scope = 'openid'): Promise<Connected> {
  const person = await scene.person([place, role]);
  const tokens = await client.signIn(await scene.signedIn(person), { scope });
  const options = connectionAdmission(scene.workspaces, scene.process.server.settings);
  const answer = await askAbout(options, tokens.access_token);
  if ('refused' in answer) throw new Error(answer.refused.message);
  const { principalId, assertion } = answer.admitted;
  return { person, tokens, principalId, credential: parseAssertion(`Bearer ${assertion}`)! };
}

let laterMs = 0;
beforeEach(() => {
  laterMs = 0;
});

function admit(questions: readonly AdmissionRequest[], via: Question['via'] = 'rest'): Promise<AdmissionResponse[]> {
  const { em, actorKeys } = scene.workspaces;
  const now = (): Date => new Date(Date.now() + laterMs);
  return handleAdmission({ em, actorKeys, assertionKey: assertionKey(SECRET), now }, via, questions);
}

async function admitOne(credential: BearerCredential | null, more: Partial<Question> = {}): Promise<AdmissionResponse> {
  const [answer] = await admit([question(credential, more)], more.via);
  return answer!;
}

const WRITE = { scope: 'timesheets:write', limit: 'writes' } as const;

it('an assertion is admitted at the public API as its connection, through the MCP server', async () => {
  const { credential, principalId } = await connect('admin');
  const { origin, tokens } = (await admitOne(credential, { requestId: 'req_1' })) as AdmissionGranted;
  const { workspaceId } = place;
  expect(origin).toEqual({
    actor: { kind: 'connection', principalId, workspaceId, role: 'admin', scopes: SCOPES },
    via: 'mcp',
    requestId: 'req_1',
  });
  const { contracts } = scene.workspaces.actorKeys;
  expect(verifyActorToken('contracts', [contracts], tokens.contracts, new Date())).toEqual(origin);
});

it('an assertion is admitted at no other endpoint and as no other credential', async () => {
  const { credential } = await connect('admin');
  const { workspaceId } = place;
  expect(codeOf(await admitOne(credential, { via: 'graphql', workspaceId, reason: 'r' }))).toBe('INVALID_CREDENTIAL');
  for (const kind of ['api_key', 'token'] as const) {
    const answer = await admitOne({ ...credential, kind }, { workspaceId, reason: 'r' });
    expect(codeOf(answer)).toBe('INVALID_CREDENTIAL');
  }
});

it('an assertion is valid for a minute and for its own connection', async () => {
  const { credential } = await connect('admin');
  const { credential: other } = await connect('admin');
  expect(codeOf(await admitOne({ ...credential, id: other.id }))).toBe('INVALID_CREDENTIAL');
  laterMs = 45_000;
  expect(codeOf(await admitOne(credential))).toBe('admitted');
  laterMs = 61_000;
  expect(codeOf(await admitOne(credential))).toBe('INVALID_CREDENTIAL');
});

it('an assertion allows no more than its token', async () => {
  const { credential } = await connect('admin', 'openid read');
  expect((await admitOne(credential, { scope: null })) as AdmissionGranted).toMatchObject({
    origin: { actor: { scopes: ['read'] } },
  });
  expect(codeOf(await admitOne(credential, WRITE))).toBe('INSUFFICIENT_SCOPE');
});

it('an assertion follows the role from the very next request', async () => {
  const { credential, person } = await connect('admin');
  await scene.person([place, 'admin']);
  const id = person.memberships[0]!.membershipId;
  const codes: string[] = [];
  for (const role of ['admin', 'member', 'viewer', 'admin'] as const) {
    await scene.workspaces.run(changeMemberRole, { id, role }, place.origin);
    codes.push(codeOf(await admitOne(credential, WRITE)));
  }
  expect(codes).toEqual(['admitted', 'INSUFFICIENT_SCOPE', 'INSUFFICIENT_SCOPE', 'admitted']);
});

it.each<[string, (connected: Connected) => Promise<unknown>, string]>([
  [
    'the member leaves',
    ({ person }) => scene.workspaces.run(removeMember, { id: person.memberships[0]!.membershipId }, place.origin),
    'INVALID_CREDENTIAL',
  ],
  [
    'the client is disabled',
    () => scene.workspaces.run(disableMcpClient, { id: client.id }, place.origin),
    'INVALID_CREDENTIAL',
  ],
  ['the sign-in is revoked', ({ tokens }) => client.revoke(tokens.refresh_token), 'INVALID_CREDENTIAL'],
  [
    'integrations are switched off',
    () =>
      scene.workspaces.run(setIntegrationSwitches, { integrationEnabled: false, writesEnabled: true }, place.origin),
    'INTEGRATION_DISABLED',
  ],
])('an assertion is refused once %s', async (_, change, code) => {
  const connected = await connect('member');
  expect(codeOf(await admitOne(connected.credential))).toBe('admitted');
  await change(connected);
  expect(codeOf(await admitOne(connected.credential))).toBe(code);
});

it("all assertions of a connection count for its limits and its workspace's", async () => {
  const { credential, tokens, principalId } = await connect('admin');
  const options = connectionAdmission(scene.workspaces, scene.process.server.settings);
  const again = await askAbout(options, tokens.access_token);
  const second = 'admitted' in again ? parseAssertion(`Bearer ${again.admitted.assertion}`)! : credential;
  await sql`delete from rate_counter where subject like ${`%${principalId}`}`.execute(scene.workspaces.em.getKysely());
  const answers = await admit([question(credential, WRITE), question(second, WRITE), question(credential, WRITE)]);
  const remaining = answers.map(({ rateLimits }) => rateLimits.find(({ name }) => name === 'writes')?.remaining);
  expect(remaining.toSorted()).toEqual([57, 58, 59]);
});

it('assertions and keys in one batch get their own answers', async () => {
  const { credential, principalId } = await connect('viewer');
  const key = await scene.workspaces.key(place);
  const wrong = { ...credential, proof: `${credential.proof.slice(0, -2)}xx` };
  const answers = await admit([key.credential, credential, wrong, key.credential].map((each) => question(each)));
  expect(answers.map(codeOf)).toEqual(['admitted', 'admitted', 'INVALID_CREDENTIAL', 'admitted']);
  expect(answers.map((each) => each.admitted && each.origin.actor.principalId)).toEqual([
    key.principalId,
    principalId,
    false,
    key.principalId,
  ]);
});

it('the access token itself is not accepted at the public API', async () => {
  const { tokens } = await connect('admin');
  expect(parseAssertion(`Bearer ${tokens.access_token}`)).toBeNull();
});
