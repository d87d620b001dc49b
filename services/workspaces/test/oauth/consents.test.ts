import type { ConnectionResponse } from '@payroll/admission';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { enableMcpClient, renewMcpConnection, revokeMcpConnection } from '../../src/commands/connections.js';
import { connectionAdmission } from '../../src/admission/handle-connections.js';
import { listMcpConnections } from '../../src/queries/credentials.js';
import type { Place } from '../support.js';
import { Client, tokensOf } from './client.js';
import { askAbout, Scene, type Person, codeOf } from './scene.js';

let place: Place;
// Each consent makes a connection with a principal of its own.

const scene = await Scene.open('workspaces_oauth_consents');
const client = await Client.register(scene.issuer);
afterAll(() => scene[Symbol.asyncDispose]());
beforeEach(async () => {
  place = await scene.workspaces.provision();
  const facts = { id: client.id, name: 'Assistant', hosts: ['client.example'] };
  await scene.workspaces.run(enableMcpClient, facts, place.origin);
});

const ask = (token: string): Promise<ConnectionResponse> =>
  askAbout(connectionAdmission(scene.workspaces, scene.process.server.settings), token);

async function principalOf(token: string): Promise<string> {
  const answer = await ask(token);
  if ('refused' in answer) throw new Error(answer.refused.message);
  return answer.admitted.principalId;
}

async function connectionOf(principalId: string): Promise<{ id: string }> {
  const page = { includeRevoked: false, limit: 9 };
  const { nodes } = await listMcpConnections(scene.workspaces.em, place.origin.actor, page);
  return nodes.find((each) => each.principalId === principalId)!;
}

async function connect(): Promise<{ person: Person; token: string; refresh: string }> {
  const person = await scene.person([place, 'admin']);
  const tokens = await client.signIn(await scene.signedIn(person));
  return { person, token: tokens.access_token, refresh: tokens.refresh_token };
}

it('the principal is kept over refresh, and new for each consent and member', async () => {
  const { person, token, refresh } = await connect();
  const principal = await principalOf(token);
  expect(await principalOf(tokensOf(await client.refresh(refresh)).access_token)).toBe(principal);
  const again = await client.signIn(await scene.signedIn(person));
  const other = await connect();
  const principals = [principal, await principalOf(again.access_token), await principalOf(other.token)];
  expect(new Set(principals).size).toBe(3);
});

it('revoking a connection leaves another one of the same person and client intact', async () => {
  const { person, token, refresh } = await connect();
  const again = await client.signIn(await scene.signedIn(person));
  const { id } = await connectionOf(await principalOf(token));
  await scene.workspaces.run(revokeMcpConnection, { id }, place.origin);
  expect(codeOf(await ask(token))).toBe('INVALID_CREDENTIAL');
  expect(await client.refresh(refresh)).toMatchObject({ body: { error: 'invalid_grant' } });
  expect(codeOf(await ask(again.access_token))).toBe('admitted');
  expect((await client.refresh(again.refresh_token)).status).toBe(200);
});

it('a connection of this authorization server cannot be renewed: a new consent makes a new one', async () => {
  const { token } = await connect();
  const { id } = await connectionOf(await principalOf(token));
  await scene.workspaces.run(revokeMcpConnection, { id }, place.origin);
  const renewing = scene.workspaces.run(renewMcpConnection, { id }, place.origin);
  await expect(renewing).rejects.toMatchObject({ code: 'INVALID_STATE' });
});
