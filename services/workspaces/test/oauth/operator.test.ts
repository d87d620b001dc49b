import type { AdmittedConnection, ConnectionResponse } from '@payroll/admission';
import { newId, SCOPES } from '@payroll/kernel';
import { afterAll, afterEach, expect, it, vi } from 'vitest';
import { changeMemberRole } from '../../src/commands/members.js';
import { revokeMcpConnection } from '../../src/commands/connections.js';
import { connectionAdmission } from '../../src/admission/handle-connections.js';
import { personIn } from '../../src/domain/member.js';
import { createAccessTokenCommand } from '../../src/operator/credentials.js';
import { listMcpConnections } from '../../src/queries/credentials.js';
import { askAbout, MCP_URL, Scene, SECRET, type Person } from './scene.js';

const scene = await Scene.open('workspaces_oauth_operator');
const place = await scene.workspaces.provision();
const [admin, member] = [await scene.person([place, 'admin']), await scene.person([place, 'member'])];
afterAll(() => scene[Symbol.asyncDispose]());
afterEach(() => void vi.restoreAllMocks());

/** Tokens that an operator creates for people. */
async function create(people: readonly Person[], client: string, ...more: string[]): Promise<string[]> {
  let printed = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += String(text);
    return true;
  });
  const env = {
    DATABASE_URL: scene.workspaces.databaseUrl,
    APP_URL: scene.issuer,
    MCP_URL,
    OAUTH_SECRET: SECRET.export().toString('hex'),
  };
  const emails = people.flatMap(({ email }) => ['--email', email]);
  await createAccessTokenCommand.run(env, ['--workspace', place.workspaceId, '--client', client, ...emails, ...more]);
  return printed.trim().split('\n');
}

const ask = (token: string): Promise<ConnectionResponse> =>
  askAbout(connectionAdmission(scene.workspaces, scene.process.server.settings), token);

async function admitted(token: string): Promise<AdmittedConnection> {
  const answer = await ask(token);
  if ('refused' in answer) throw new Error(answer.refused.message);
  return answer.admitted;
}

it('operator-created tokens belong to connections that follow the role and can be revoked', async () => {
  const [ofAdmin = '', ofMember = ''] = await create([admin, member], 'Nightly report', '--days', '2');
  expect(await admitted(ofAdmin)).toMatchObject({ workspaceId: place.workspaceId, role: 'admin', scopes: SCOPES });
  const connection = await admitted(ofMember);
  expect(connection).toMatchObject({ role: 'member', scopes: ['read', 'contracts:write'] });

  const id = member.memberships[0]!.membershipId;
  await scene.workspaces.run(changeMemberRole, { id, role: 'viewer' }, place.origin);
  expect((await admitted(ofMember)).scopes).toEqual(['read']);

  const session = { sessionId: newId(), isRecent: true, email: member.email };
  const ofThemselves = personIn({ ...place, membershipId: id, role: 'viewer' }, session);
  const { nodes } = await listMcpConnections(scene.workspaces.em, ofThemselves, { includeRevoked: false, limit: 5 });
  expect(nodes).toMatchObject([{ clientName: 'Nightly report', principalId: connection.principalId }]);
  await scene.workspaces.run(revokeMcpConnection, { id: nodes[0]!.id }, place.origin);
  expect(await ask(ofMember)).toMatchObject({ refused: { code: 'INVALID_CREDENTIAL' } });
  expect((await admitted(ofAdmin)).role).toBe('admin');
});

it('creating a token again makes another connection, like another consent', async () => {
  const [first = ''] = await create([admin], 'Again');
  const [second = ''] = await create([admin], 'Again');
  expect((await admitted(second)).principalId).not.toBe((await admitted(first)).principalId);
});

it('a token for a member requires that an admin has enabled the client', async () => {
  await expect(create([member], 'Unknown')).rejects.toThrow('No admin of the workspace has enabled this client.');
});

it('tokens are not created for unknown addresses or for more than 30 days', async () => {
  const stranger = { ...admin, email: 'nobody@example.com' };
  await expect(create([stranger], 'Report')).rejects.toThrow('no member who can sign in to');
  for (const days of ['0', '31', '1.5', 'x']) {
    await expect(create([admin], 'Report', '--days', days)).rejects.toThrow(
      '--days must be a whole number from 1 to 30',
    );
  }
});
