import { decodeProtectedHeader } from 'jose';
import { computed, read, sql, write as execute } from '@payroll/store';
import { afterAll, expect, it, vi } from 'vitest';
import { connectionAdmission } from '../../src/admission/handle-connections.js';
import { rotateSigningKeyCommand } from '../../src/operator/credentials.js';
import { KeyRing, newSigningKey } from '../../src/oauth/key-ring.js';
import { NO_WORKSPACE } from '../../src/commands/installation.js';
import { Workspaces } from '../support.js';
import { Client, tokensOf } from './client.js';
import { askAbout, Process, Scene, SECRET } from './scene.js';

const scene = await Scene.open('workspaces_oauth_keys');
const place = await scene.workspaces.provision();
const browser = await scene.signedIn(await scene.person([place, 'admin']));
const client = await Client.register(scene.issuer);
afterAll(() => scene[Symbol.asyncDispose]());

const kidOf = (token: string): string => String(decodeProtectedHeader(token).kid);

/** Makes the keys older by this number of seconds. */
const age = (seconds: number) =>
  execute(scene.workspaces.em, sql`update signing_key set signs_from = signs_from - ${`${seconds} s`}::interval`);

/** Rotates as an operator does. */
async function rotate(leadSeconds: number, compromised = false): Promise<string> {
  let printed = '';
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += String(text);
    return true;
  });
  const env = { DATABASE_URL: scene.workspaces.databaseUrl, OAUTH_SECRET: SECRET.export().toString('hex') };
  await rotateSigningKeyCommand.run(env, [
    '--lead-seconds',
    String(leadSeconds),
    ...(compromised ? ['--compromised'] : []),
  ]);
  write.mockRestore();
  return printed.trim();
}

async function published(issuer = scene.issuer): Promise<string[]> {
  const response = await fetch(`${issuer}/oauth/jwks`);
  const { keys } = (await response.json()) as { keys: Record<string, string>[] };
  for (const key of keys) expect(Object.keys(key)).not.toEqual(expect.arrayContaining(['d']));
  return keys.map(({ kid = '' }) => kid);
}

async function admits(accessToken: string): Promise<boolean> {
  const options = connectionAdmission(scene.workspaces, scene.process.server.settings);
  return 'admitted' in (await askAbout(options, accessToken));
}

const soon = { timeout: 10_000, interval: 200 };

it('a new key is published before it signs, and existing connections are not interrupted', async () => {
  const before = await client.signIn(browser);
  const kid = await rotate(60);
  await expect.poll(() => published(), soon).toEqual([kidOf(before.access_token), kid]);
  const meanwhile = tokensOf(await client.refresh(before.refresh_token));
  expect(kidOf(meanwhile.access_token)).toBe(kidOf(before.access_token));
  await age(60);
  await expect.poll(() => published(), soon).toEqual([kid, kidOf(before.access_token)]);
  const after = tokensOf(await client.refresh(meanwhile.refresh_token));
  expect(kidOf(after.access_token)).toBe(kid);
  for (const { access_token } of [before, meanwhile, after]) expect(await admits(access_token)).toBe(true);
  await age(400);
  await expect.poll(() => published(), soon).toEqual([kid]);
  expect(await admits(before.access_token)).toBe(false);
});

it('a sign-in that began before a rotation continues, even in another process', async () => {
  const code = await client.code(browser);
  await using other = await Process.start(scene.workspaces, { issuer: scene.issuer });
  const kid = await rotate(0);
  await expect.poll(() => published(other.origin), soon).toContain(kid);
  const elsewhere = Object.assign(Object.create(client) as Client, { issuer: other.origin });
  const tokens = tokensOf(await elsewhere.exchange(code));
  expect(kidOf(tokens.access_token)).toBe(kid);
  expect(await admits(tokens.access_token)).toBe(true);
});

it('tokens of a compromised key are refused at once; assistants get new ones by themselves', async () => {
  const { access_token, refresh_token } = await client.signIn(browser);
  const kid = await rotate(0, true);
  await expect.poll(() => published(), soon).toEqual([kid]);
  expect(await admits(access_token)).toBe(false);
  expect(await admits(tokensOf(await client.refresh(refresh_token)).access_token)).toBe(true);
});

it('rotations are in the audit trail, without the key', async () => {
  const kid = await rotate(1);
  const rows = await scene.workspaces.audited(NO_WORKSPACE);
  expect(rows.at(-1)).toMatchObject({
    action: 'signing-key.rotated',
    change: { kid, leadSeconds: 1, withdrawOthers: false },
  });
  expect(JSON.stringify(rows)).not.toContain('sealed');
});

it.each([['-1'], ['x'], ['86401'], ['1.5']])('a lead of %s seconds is refused', async (lead) => {
  await expect(rotateSigningKeyCommand.run({}, ['--lead-seconds', lead])).rejects.toThrow('--lead-seconds');
});

it('processes that start at the same time create one key', async () => {
  await using fresh = await Scene.open('workspaces_oauth_first_key');
  const more = await Promise.all([1, 2].map(() => Process.start(fresh.workspaces, { issuer: fresh.issuer })));
  const keys = await Promise.all([fresh.process, ...more].map(({ origin }) => published(origin)));
  expect(new Set(keys.map(([kid]) => kid)).size).toBe(1);
  for (const each of more) await each[Symbol.asyncDispose]();
});

it.each(['commit', 'rollback'])('waits for the %s of a first key that another process is creating', async (end) => {
  await using fresh = await Workspaces.open(`workspaces_oauth_key_${end}`);
  const theirs = await newSigningKey(SECRET);
  const pool = await fresh.em.getConnection().getNativeClient();
  const other = await pool.connect();
  const insert = `insert into signing_key (kid, sealed, created_at, signs_from, is_first) values ($1, $2, now(), now(), true)`;
  await other.query('begin');
  await other.query(insert, [theirs.kid, theirs.sealed]);
  const made = new KeyRing(fresh.em, SECRET).current();
  // Of this database alone: tests beside this one wait for locks of theirs.
  const waiting = sql`
    select ${computed('count', 'int', sql`count(*)`)} from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
  await expect.poll(() => read(fresh.em, waiting), soon).toEqual([{ count: 1 }]);
  await other.query(end);
  other.release();
  const kids = (await made).keys.map(({ kid }) => kid);
  expect(kids).toHaveLength(1);
  expect(kids.includes(theirs.kid)).toBe(end === 'commit');
});
