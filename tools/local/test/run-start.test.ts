import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { eventually, fixtureRoot, runTs } from './support.js';
import { startOf } from '../process-identity.js';
import type { StackFile } from '../stack-file.js';

interface Run {
  readonly child: ChildProcess;
  readonly exit: Promise<number | null>;
  text(): string;
}

function start(root: string, args: readonly string[] = [], env: Record<string, string> = {}): Run {
  const inherited = { ...process.env, DATABASE_URL: '', NATS_URL: '', ...env };
  const child = runTs('test/start-without-demo.ts', args, { cwd: root, env: inherited });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (text += chunk.toString()));
  onTestFinished(() => void child.kill('SIGKILL'));
  return { child, exit: once(child, 'exit').then(([code]) => code as number | null), text: () => text };
}

function pidsIn(root: string): number[] {
  const file = JSON.parse(readFileSync(join(root, '.local/stack.json'), 'utf8')) as StackFile;
  return Object.values(file.processes);
}

test('prints its addresses, a second start names the first, and repeated Ctrl-C stops in order once', async () => {
  const root = fixtureRoot();
  const first = start(root);
  await eventually(() => first.text().includes('Ready in'), 60_000);
  expect(first.text()).toMatch(
    /Ready in .+\n\n {2}Application http:\/\/127\.0\.0\.1:\d+\n\n {2}REST +http:\/\/127\.0\.0\.1:\d+\/v1/,
  );
  expect(first.text()).not.toMatch(/payroll_owner:/);
  const pids = pidsIn(root);

  const second = start(root);
  expect(await second.exit).toBe(1);
  expect(second.text()).toMatch(/^npm start: it already runs \(pid \d+\): (?:http:\S+, ){2}http:\S+\n$/);

  for (let sent = 0; sent < 3; sent++) first.child.kill('SIGINT');
  expect(await first.exit).toBe(0);
  expect(first.text()).toMatch(/Stopped\.\n$/);
  expect(pids.map(startOf).filter((begin) => begin !== undefined)).toEqual([]);
  expect(existsSync(join(root, '.local/stack.json'))).toBe(false);
}, 90_000);

test('a second Ctrl-C does not wait for a process that does not stop', async () => {
  const root = fixtureRoot();
  const run = start(root, [], { OTEL_STUBBORN: '1' });
  await eventually(() => run.text().includes('Ready in'), 60_000);
  const pids = pidsIn(root);
  run.child.kill('SIGINT');
  await eventually(() => run.text().includes('Stopping'));
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  run.child.kill('SIGINT');
  expect(await run.exit).toBe(130);
  await eventually(() => pids.every((pid) => startOf(pid) === undefined));
}, 90_000);

test('Ctrl-C during the start ends it without an error', async () => {
  const root = fixtureRoot();
  const run = start(root);
  await eventually(() => run.text().includes('Starting Postgres'), 30_000);
  run.child.kill('SIGINT');
  expect(await run.exit).toBe(0);
  expect(run.text()).not.toContain('npm start:');
  expect(existsSync(join(root, '.local/lock'))).toBe(false);
}, 60_000);

test.each([
  ['a DATABASE_URL that is none', [], { DATABASE_URL: 'x' }, /\nnpm start: DATABASE_URL is not a URL: .+\n$/],
  ['a failing migration', [], { OTEL_FAIL_MIGRATION: '1' }, /\nnpm start: the migration of workspaces failed .+\n$/],
  [
    'a NATS_URL at which nobody is',
    [],
    { NATS_URL: 'nats://127.0.0.1:1' },
    /\nnpm start: NATS_URL: no NATS lets us in at 127\.0\.0\.1:1 \(.+\): start it, .+\n$/,
  ],
] as const)(
  '%s is one line and exit code 1',
  async (_, args, env, line) => {
    const run = start(fixtureRoot(), args, env);
    expect(await run.exit).toBe(1);
    expect(run.text()).toMatch(line);
    expect(run.text()).not.toContain('    at ');
  },
  60_000,
);

test('a .local that is a file is one line and exit code 1', async () => {
  const root = fixtureRoot();
  writeFileSync(join(root, '.local'), '');
  const run = start(root);
  expect(await run.exit).toBe(1);
  expect(run.text()).toBe(
    `npm start: ${join(root, '.local')} cannot be written (EEXIST): a folder has to be there: remove it\n`,
  );
}, 60_000);

test('--verbose shows the stack trace', async () => {
  const run = start(fixtureRoot(), ['--verbose'], { DATABASE_URL: 'x' });
  expect(await run.exit).toBe(1);
  expect(run.text()).toContain('    at ');
}, 60_000);
