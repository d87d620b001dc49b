import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { expect, test } from 'vitest';
import { connectAs } from '../../../infra/nats/test/all-users.js';
import { firstLine, fixtureRoot, runTs } from './support.js';
import { startOf } from '../process-identity.js';
import { processes } from '@payroll/infra/processes';
import type { Stack } from '../assemble-stack.js';
import type { StackFile } from '../stack-file.js';
import { type StackOptions, startStack } from '../stack.js';

const lines: string[] = [];

function startIn(root: string, more: Partial<StackOptions> = {}): Promise<Stack> {
  const onProgress = (line: string): void => void lines.push(line);
  return startStack({ root, dir: join(root, '.local'), ports: 'free', durable: false, onProgress, ...more });
}

const fileIn = (root: string): StackFile =>
  JSON.parse(readFileSync(join(root, '.local/stack.json'), 'utf8')) as StackFile;

async function environmentOf(stack: Stack, name: (typeof processes)[number]['name']): Promise<Record<string, string>> {
  const response = await fetch(`http://127.0.0.1:${stack.ports[name]}/env`);
  return (await response.json()) as Record<string, string>;
}

test('a stack starts, writes its file, gives processes only their own secrets, and leaves nothing', async () => {
  const root = fixtureRoot();
  const workspaces = [{ id: '1', name: 'One', apiKeys: { admin: 'a', member: 'm', viewer: 'v' } }];
  const stack = await startIn(root, {
    seed: async () => ({ workspaces, graphqlToken: 't', financeTokens: ['f', 'g'] }),
    env: { review: { X: 'y' } },
  });
  const file = fileIn(root);
  const pids = [...Object.values(file.processes), stack.postgres.pid ?? 0, stack.nats.pid ?? 0];

  expect(statSync(join(root, '.local/stack.json')).mode & 0o777).toBe(0o600);
  expect(Object.keys(file)).toEqual([
    ...['app', 'rest', 'graphql', 'mcp', 'auth', 'mail', 'postgres', 'nats', 'provider', 'processes', 'workspaces'],
  ]);
  expect(file.graphql).toEqual({
    url: `http://127.0.0.1:${stack.ports.gateway}/graphql`,
    token: 't',
    finance: ['f', 'g'],
  });
  expect(file.postgres.url).toBe(stack.database.ownerUrl);
  expect(Object.keys(file.processes)).toEqual(processes.map(({ name }) => name));

  const review = await environmentOf(stack, 'review');
  expect(review).toMatchObject({ X: 'y', DATABASE_URL: stack.database.urls.review, NATS_URL: stack.natsUrls.review });
  expect(review['ACTOR_KEY']).toBe(stack.secrets.actorKeys.review);
  expect(review).not.toHaveProperty('ACTOR_KEYS');
  const gateway = await environmentOf(stack, 'gateway');
  expect(gateway['PAYMENTS_URL']).toBe(`http://127.0.0.1:${stack.ports.payments}/graphql`);
  for (const name of ['DATABASE_URL', 'ACTOR_KEY', 'ACTOR_KEYS']) expect(gateway).not.toHaveProperty(name);
  expect(readFileSync(join(root, '.local/logs/rest-facade.log'), 'utf8')).toContain('migrating as payroll_owner');

  await stack[Symbol.asyncDispose]();
  expect(pids.map(startOf).filter((start) => start !== undefined)).toEqual([]);
  expect(existsSync(join(root, '.local/stack.json'))).toBe(false);
  expect(existsSync(join(root, '.local/lock'))).toBe(false);
}, 60_000);

test('parts are stopped and restarted one by one, and the file follows', async () => {
  const root = fixtureRoot();
  await using stack = await startIn(root);
  const { review } = stack.file.processes;
  await stack.kill('review');
  await stack.ready('review');
  expect(fileIn(root).processes['review']).not.toBe(review);

  await stack.stop('payments');
  expect(fileIn(root).processes).not.toHaveProperty('payments');
  await stack.start('payments', { FAULT: '1' });
  expect(await environmentOf(stack, 'payments')).toMatchObject({ FAULT: '1' });

  await stack.nats.stop();
  await expect(connectAs(stack.natsUrls.contracts)).rejects.toThrow('connection refused');
  await stack.nats.start();
  await (await connectAs(stack.natsUrls.contracts)).close();
}, 60_000);

test('a second start in the same folder names the address and pid of the first', async () => {
  const root = fixtureRoot();
  await using stack = await startIn(root);
  await expect(startIn(root)).rejects.toThrow(`it already runs (pid ${process.pid}): ${stack.file.rest.url}, `);
}, 60_000);

test('after SIGKILL of the starter no process is left, and the next start finds its data', async () => {
  const root = fixtureRoot();
  const parent = runTs('test/stack-parent.ts', [root]);
  const pids = JSON.parse(await firstLine(parent)) as number[];
  const owner = fileIn(root).postgres.url;
  const client = new Client({ connectionString: owner });
  client.on('error', () => {});
  await client.connect();
  await client.query('create table review.kept (id int)');

  parent.kill('SIGKILL');
  // Wait until it is dead: a living one would rightly refuse the next start.
  await once(parent, 'exit');

  await using stack = await startIn(root);
  expect(pids.map(startOf).filter((start) => start !== undefined)).toEqual([]);
  const again = new Client({ connectionString: stack.database.ownerUrl });
  await again.connect();
  expect((await again.query('select * from review.kept')).rows).toEqual([]);
  await again.end();
}, 60_000);

test('a failed migration fails the start with its message and leaves no process running', async () => {
  const root = fixtureRoot();
  process.env['OTEL_FAIL_MIGRATION'] = '1';
  const start = startIn(root).finally(() => delete process.env['OTEL_FAIL_MIGRATION']);
  await expect(start).rejects.toThrow(
    /^the migration of workspaces failed \(exit code 1\): column "x" already exists \(see /,
  );
  expect(existsSync(join(root, '.local/lock'))).toBe(false);
}, 60_000);

test('a start can be aborted midway', async () => {
  const controller = new AbortController();
  const root = fixtureRoot();
  const onProgress = (line: string): void => (line === 'Migrating' ? controller.abort() : undefined);
  await expect(startIn(root, { onProgress, signal: controller.signal })).rejects.toThrow('stopped while starting');
  expect(existsSync(join(root, '.local/lock'))).toBe(false);
}, 60_000);

test('a missing build is reported with the command to type', async () => {
  const root = fixtureRoot();
  rmSync(join(root, 'dist/gateway.js'));
  await expect(startIn(root)).rejects.toThrow('dist/gateway.js is missing: type  npm run build');
});

test('external servers are used and left running', async () => {
  const first = fixtureRoot();
  await using theirs = await startIn(first);
  {
    const urls = { databaseUrl: theirs.database.adminUrl, natsUrl: theirs.natsUrls.review };
    await using stack = await startIn(fixtureRoot(), urls);
    expect((await environmentOf(stack, 'payments'))['NATS_URL']).toBe(theirs.natsUrls.review);
    await expect(stack.nats.stop()).rejects.toThrow('not ours');
  }
  expect(startOf(theirs.postgres.pid ?? 0)).toBeDefined();
}, 60_000);

test('an invalid DATABASE_URL is reported in one line', async () => {
  const databaseUrl = 'postgres://nobody:x@127.0.0.1:1/postgres';
  await expect(startIn(fixtureRoot(), { databaseUrl })).rejects.toThrow(
    /^DATABASE_URL does not work, its role must be able to make roles and databases/,
  );
}, 60_000);
