import { createSecretKey, randomBytes } from 'node:crypto';
import { afterAll, expect, it } from 'vitest';
import { Client } from './client.js';
import { Process, Scene } from './scene.js';
import { sql, write } from '@payroll/store';

// As docs/operations.md says, the signing key is withdrawn when OAUTH_SECRET changes.

const scene = await Scene.open('workspaces_oauth_other_secret');
afterAll(() => scene[Symbol.asyncDispose]());

async function connected() {
  const place = await scene.workspaces.provision();
  const browser = await scene.signedIn(await scene.person([place, 'admin']));
  const client = await Client.register(scene.issuer);
  const tokens = await client.signIn(browser);
  const other = await Process.start(scene.workspaces, {
    issuer: scene.issuer,
    secret: createSecretKey(randomBytes(32)),
  });
  return { client: Object.assign(Object.create(client) as Client, { issuer: other.origin }), tokens, other };
}

it('a refresh token from before is an invalid grant, so that the assistant lets its person sign in again', async () => {
  const { client, tokens, other } = await connected();
  await write(scene.workspaces.em, sql`update signing_key set withdrawn_at = clock_timestamp()`);
  try {
    expect(await client.refresh(tokens.refresh_token)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  } finally {
    await other.dispose();
  }
});
