import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, describe, expect, it } from 'vitest';
import { deleteExpiredArtifacts } from '../../src/oauth/state.js';
import { listMcpConnections } from '../../src/queries/credentials.js';
import { Browser } from '../pages/browser.js';
import { Client, tokensOf } from './client.js';
import { openRequest, pathOf } from './consenting.js';
import { Process, Scene } from './scene.js';

let logged = '';
const log = pino({ level: 'trace' }, { write: (line: string) => void (logged += line) });
const scene = await Scene.open('workspaces_oauth_state', {}, { log });
const place = await scene.workspaces.provision();
const person = await scene.person([place, 'admin']);
const client = await Client.register(scene.issuer);
afterAll(() => scene[Symbol.asyncDispose]());

const rows = () => scene.workspaces.em.getKysely();

/** The content of all tables of the service. */
async function everythingKept(): Promise<string> {
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables where table_schema = 'workspaces'`.execute(rows());
  const contents = await Promise.all(
    tables.map(async ({ name }) => {
      const kept = await sql<{ row: string }>`select row_to_json(t)::text as row from ${sql.table(name)} t`.execute(
        rows(),
      );
      return kept.rows.map(({ row }) => row).join('\n');
    }),
  );
  return contents.join('\n');
}

it('a sign-in can continue in another process at every step, and after all have restarted', async () => {
  const start = (): Promise<Process> => Process.start(scene.workspaces, { issuer: scene.issuer });
  const at = (process: Process, { cookies }: Browser): Browser => {
    const same = new Browser(process.origin);
    for (const [name, value] of cookies) same.cookies.set(name, value);
    return same;
  };
  const elsewhere = (process: Process): Client =>
    Object.assign(Object.create(client) as Client, { issuer: process.origin });
  const browser = await scene.signedIn(person);
  const { page, path } = await openRequest(browser, client.request());
  let refresh: string;
  {
    await using second = await start();
    await using third = await start();
    expect((await at(second, browser).get(path)).status).toBe(200);
    const decided = await browser.submit(page, `${path}/approve`);
    const resumed = await at(second, browser).get(pathOf(decided.location));
    const code = new URL(resumed.location!).searchParams.get('code')!;
    refresh = tokensOf(await elsewhere(third).exchange(code)).refresh_token;
  }
  await using fresh = await start();
  expect((await elsewhere(fresh).refresh(refresh)).status).toBe(200);
});

it('no code, token, cookie or key is in Postgres or in the log', async () => {
  const browser = await scene.signedIn(person);
  const { page, path } = await openRequest(browser, client.request());
  const early = [path.split('/').at(-1)!, ...browser.cookies.values()];
  // During the sign-in too: the stored state must not be enough to continue it.
  const underWay = await everythingKept();
  const decided = await browser.submit(page, `${path}/approve`);
  const code = new URL((await browser.get(pathOf(decided.location))).location!).searchParams.get('code')!;
  const issued = await everythingKept();
  const first = tokensOf(await client.exchange(code));
  const second = tokensOf(await client.refresh(first.refresh_token));
  const used = await everythingKept();
  await client.exchange(code);
  await client.refresh(first.refresh_token);
  await client.exchange(code, { code_verifier: 'x'.repeat(43) });
  const tokens = [first, second].flatMap(({ access_token, refresh_token, id_token }) => [
    access_token,
    refresh_token,
    id_token!,
  ]);
  const everything = [underWay, issued, used, await everythingKept(), logged].join('\n');
  expect(everything).toContain(client.id);
  expect(logged).toContain('/oauth/token');
  for (const secret of [...early, code, client.verifier, ...tokens]) {
    expect(secret.length).toBeGreaterThan(20);
    expect(everything.includes(secret), secret).toBe(false);
  }
  expect(everything).not.toMatch(/"d"\s*:/);
});

describe('the clean-up job', () => {
  const count = async (table: string): Promise<number> => {
    const { rows: counted } = await sql<{ n: number }>`select count(*)::int as n from ${sql.table(table)}`.execute(
      rows(),
    );
    return counted[0]!.n;
  };

  it('deletes expired artifacts, and revokes connections whose sign-in has expired', async () => {
    const { refresh_token } = await client.signIn(await scene.signedIn(person));
    const live = async (): Promise<number> => {
      const page = { includeRevoked: false, limit: 50 };
      return (await listMcpConnections(scene.workspaces.em, place.origin.actor, page)).nodes.length;
    };
    await sql`update mcp_connection set created_at = now() - interval '2 h'`.execute(rows());
    await deleteExpiredArtifacts(scene.workspaces.em);
    const before = await live();
    expect(before).toBeGreaterThan(0);
    await deleteExpiredArtifacts(scene.workspaces.em);
    expect(await live()).toBe(before);
    expect((await client.refresh(refresh_token)).status).toBe(200);
    await sql`update oauth_artifact set expires_at = expires_at - interval '1 year'`.execute(rows());
    await deleteExpiredArtifacts(scene.workspaces.em);
    expect(await count('oauth_artifact')).toBe(0);
    expect(await live()).toBe(0);
    const { rows: audited } = await sql<{ name: string }>`
      select change ->> 'name' as name from audit_entry
      where action = 'mcp-connection.expired' and workspace_id = ${place.workspaceId}`.execute(rows());
    expect(audited.length).toBeGreaterThanOrEqual(before);
    expect(audited[0]).toEqual({ name: 'Assistant' });
  });

  it('deletes unused clients, except those that a workspace has enabled or that are in use', async () => {
    const [unused, asked] = [await Client.register(scene.issuer), await Client.register(scene.issuer)];
    const member = await scene.signedIn(await scene.person([place, 'member']));
    const { page, path } = await openRequest(member, asked.request());
    await member.submit(page, `${path}/ask`);
    await sql`update oauth_client set created_at = created_at - interval '2 days'`.execute(rows());
    await deleteExpiredArtifacts(scene.workspaces.em);
    const { rows: kept } = await sql<{ id: string }>`select id from oauth_client`.execute(rows());
    expect(kept.map(({ id }) => id).toSorted()).toEqual([client.id, asked.id].toSorted());
    expect(kept.map(({ id }) => id)).not.toContain(unused.id);
  });
});
