import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { CheckResult } from '@payroll/runtime';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ask, type GraphqlAccess } from '@payroll/tools/demo/graphql-client';
import { Person, totpCode } from '@payroll/tools/demo/person';
import { seedDemo } from '@payroll/tools/demo/seed';
import { repositoryRoot } from '@payroll/infra/processes';
import { ownerOf } from '../owner.js';
import { startSystem, type System } from '../support.js';

let system: System;
const started = new AsyncDisposableStack();

beforeAll(async () => {
  system = started.use(await startSystem(seedDemo));
});

afterAll(async () => await started.disposeAsync());

interface Named {
  id: string;
  status: string;
  contractType: string;
  deletedAt: string | null;
}

const first = (): GraphqlAccess => system.access();

async function contracts(): Promise<Named[]> {
  const query = '{ contracts(limit: 100, includeDeleted: true) { nodes { id status contractType deletedAt } } }';
  return (await ask<{ nodes: Named[] }>(first(), query)).nodes;
}

const count = async (list: string, filter: string): Promise<number> =>
  (await ask<{ nodes: unknown[] }>(first(), `{ ${list}(limit: 100${filter}) { nodes { id } } }`)).nodes.length;

it('the first workspace has contracts of every type and in every state, and a tombstone', async () => {
  const all = await contracts();
  expect(all.length).toBeGreaterThanOrEqual(12);
  expect(new Set(all.map(({ contractType }) => contractType)).size).toBe(5);
  expect(new Set(all.map(({ status }) => status)).size).toBe(9);
  expect(all.some(({ deletedAt }) => deletedAt !== null)).toBe(true);
});

it('at least 12 timesheets and 8 milestones wait for a reviewer', async () => {
  expect(await count('timesheets', ', status: submitted')).toBeGreaterThanOrEqual(12);
  const ids = (await contracts()).map(({ id }) => id);
  const submitted = await Promise.all(ids.map((id) => count('milestones', `, contractId: "${id}", status: submitted`)));
  expect(submitted.reduce((sum, n) => sum + n, 0)).toBeGreaterThanOrEqual(8);
});

it('there are payments in every status and balances in two currencies', async () => {
  const statuses = ['pending', 'processing', 'completed', 'failed', 'cancelled'];
  const counts = await Promise.all(statuses.map((status) => count('payments', `, status: ${status}`)));
  expect(counts.every((n) => n > 0)).toBe(true);
  const { available } = await ask<{ available: { amount: string; currency: string }[] }>(
    first(),
    '{ balances { available { amount currency } } }',
  );
  expect(available.filter(({ amount }) => Number(amount) > 0).map(({ currency }) => currency)).toEqual(['EUR', 'USD']);
});

it('each role has its own key in both workspaces, valid for that workspace only', async () => {
  const keys = system.workspaces.flatMap(({ id, apiKeys }) => Object.values(apiKeys).map((key) => ({ id, key })));
  expect(new Set(keys.map(({ key }) => key)).size).toBe(6);
  for (const { id, key } of keys) {
    expect(await system.rest(key, 'GET', '/business')).toMatchObject({ status: 200, body: { id } });
  }
});

it('in both workspaces the person of each role has an access token for the MCP server', async () => {
  for (const { mcpTokens, users } of system.workspaces) {
    for (const { role, email } of users!.filter((user) => user.role !== 'worker')) {
      const token = mcpTokens![role as keyof typeof mcpTokens];
      const headers = { authorization: `Bearer ${token}` };
      const answer = await fetch(`${system.stack.file.auth!.url}/oauth/userinfo`, { headers });
      expect(await answer.json()).toMatchObject({ email });
    }
  }
});

it('a user with a second factor signs in with a code, and a worker in each workspace with a password', async () => {
  const users = system.workspaces.flatMap((workspace) => workspace.users!);
  const [guarded, ...others] = users.filter(({ secondFactor }) => secondFactor !== undefined);
  expect(others).toEqual([]);
  const person = new Person(system.stack.file.app!.url);
  const asked = await person.signIn(guarded!.email, guarded!.password);
  expect(asked.html).toContain('Enter your code');
  // The code of the current half minute has been used for the set-up, and is refused.
  const later = Date.now() + 30_000;
  const signedIn = await person.send(asked, '/sign-in/code', { code: totpCode(guarded!.secondFactor!, later) });
  expect(signedIn.html).toContain('Harbor Labs');
  const workers = users.filter(({ role }) => role === 'worker');
  expect(workers).toHaveLength(2);
  for (const { email, password } of workers) {
    const worker = new Person(system.stack.file.app!.url);
    await worker.signIn(email, password);
    expect((await worker.open('/work')).html).toContain('Your work');
  }
});

/** The findings of `npm run doctor`. */
async function doctor(): Promise<CheckResult[]> {
  const env = { ...process.env, STACK_DIR: system.stack.dir };
  const program = join(repositoryRoot, 'tools/dist/operate/doctor.js');
  const run = promisify(execFile)(process.execPath, [program, '--json'], { env });
  const { stdout } = await run.catch((error: unknown) => error as { stdout: string });
  return (JSON.parse(stdout) as CheckResult[]).filter(({ ok }) => !ok);
}

it('the doctor has no finding for a healthy system, and names each planted fault', async () => {
  const { database } = started.use(await ownerOf(system));
  expect(await doctor()).toEqual([]);
  await system.stack.stop('mcp');
  await database.query(`insert into review.outbox_delivery (event_id, consumer, recorded_at, attempt, due_at)
    select id, 'payments', now() - interval '1 h', 1, now() + interval '1 h' from review.outbox_event limit 1`);
  await database.query(
    `insert into payments.dead_letter select gen_random_uuid(), gen_random_uuid(), 'x', '{}', 'no', now()`,
  );
  // A missing migration, as after an upgrade that forgot them, and an unknown one, as after a downgrade.
  const { rows } = await database.query<{ name: string }>(
    `delete from contracts.migration where name like '%first' returning name`,
  );
  await database.query(`insert into rest_facade.migration (name) values ('Migration_of_tomorrow')`);
  const found = await doctor();
  await system.stack.start('mcp');
  await database.query(`delete from review.outbox_delivery; update payments.dead_letter set state = 'applied';
    delete from rest_facade.migration where name = 'Migration_of_tomorrow'`);
  await database.query('insert into contracts.migration (name) values ($1)', [rows[0]!.name]);
  expect(found.map(({ what }) => what).toSorted()).toEqual([
    '/mcp says its own address and where to sign in',
    'contracts finds all the tables that it needs',
    'mcp is ready',
    'payments has no dead letter that waits for a person',
    'rest-facade knows all of its tables',
    'the consumers of review confirm its events',
  ]);
  expect(found.every(({ seen, todo }) => Boolean(seen && todo))).toBe(true);
}, 120_000);

it('the doctor names the unknown option above its usage', async () => {
  const program = join(repositoryRoot, 'tools/dist/operate/doctor.js');
  const asked = promisify(execFile)(process.execPath, [program, '--jsn']);
  await expect(asked).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/'--jsn'[^]+Usage: npm run doctor/),
  });
});

it('Postgres accepts every statement of the runbook', async () => {
  const { adminUrl, ownerUrl } = system.stack.database;
  // As the runbook does: psql -U postgres payroll.
  const database = new Client(new URL(new URL(ownerUrl).pathname, adminUrl).href);
  await database.connect();
  started.defer(() => database.end());
  const runbook = readFileSync(join(repositoryRoot, 'docs/runbook.md'), 'utf8');
  const statements = [...runbook.matchAll(/```sql\n([^]+?)```|`((?:select|update|delete) [^`]+;)`/g)].map(
    ([, block, inline]) => (block ?? inline)!,
  );
  expect(statements.length).toBeGreaterThan(7);
  const { id } = system.workspaces[0];
  const filled = { '<service>': 'review', '<publisher>': 'payments', '<event_id>': id, '<payment_id>': id };
  await database.query('begin');
  for (const statement of statements) {
    await database.query(statement.replace(/<\w+>/g, (word) => filled[word as keyof typeof filled]));
  }
  await database.query('rollback');
});
