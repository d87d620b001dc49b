import { sql } from 'kysely';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { question, Workspaces, type Key, type Place } from '../support.js';

let place: Place;
let key: Key;
const workspaces = await Workspaces.open('workspaces_key_uses');
afterAll(() => workspaces[Symbol.asyncDispose]());
beforeEach(async () => {
  place = await workspaces.provision();
  key = await workspaces.key(place);
});

async function use(...keys: Key[]): Promise<void> {
  await workspaces.admit(keys.map(({ credential }) => question(credential)));
}

async function change(statement: ReturnType<typeof sql>): Promise<void> {
  await statement.execute(workspaces.em.getKysely());
}

async function lastUsed({ id }: Key): Promise<string | null> {
  const { rows } = await sql<{
    at: string | null;
  }>`select last_used_at::text as at from api_key where id = ${id}`.execute(workspaces.em.getKysely());
  return rows[0]!.at;
}

it('admission records the last use of a key, and of no other key', async () => {
  const [idle, revoked] = [await workspaces.key(place), await workspaces.key(place)];
  await change(sql`update api_key set revoked_at = now() where id = ${revoked.id}`);
  await use(key, revoked, key);
  expect(await lastUsed(key)).not.toBeNull();
  expect([await lastUsed(idle), await lastUsed(revoked)]).toEqual([null, null]);
});

it('a key in constant use is written once a minute', async () => {
  await use(key);
  const first = await lastUsed(key);
  await use(key);
  expect(await lastUsed(key)).toBe(first);
  await change(sql`update api_key set last_used_at = now() - interval '61 s' where id = ${key.id}`);
  await use(key);
  expect(String(await lastUsed(key)) > String(first)).toBe(true);
});

it('a row locked by a command delays no request; the next one records the use', async () => {
  await workspaces.em.fork().transactional(async (tx) => {
    await sql`select 1 from api_key where id = ${key.id} for update`.execute(tx.getKysely());
    await use(key);
  });
  expect(await lastUsed(key)).toBeNull();
  await use(key);
  expect(await lastUsed(key)).not.toBeNull();
});
