import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { environmentOf, processes, repositoryRoot, type ProcessName } from '@payroll/infra/processes';
import { joinSystem } from '../support.js';

const system = await joinSystem();

interface Ending {
  code: number | null;
  stderr: string;
}

async function run(name: ProcessName, change: Record<string, string | undefined>): Promise<Ending> {
  const definition = processes.find((each) => each.name === name)!;
  const { dir, secrets, ports, database, natsUrls } = system.stack;
  const env = {
    ...environmentOf(definition, { dir, secrets, ports: { ...ports, [name]: 0 }, database, natsUrls }),
    ...change,
  };
  const child = spawn(process.execPath, [join(repositoryRoot, definition.entry)], { env: env as NodeJS.ProcessEnv });
  let stderr = '';
  child.stderr.on('data', (part) => (stderr += String(part)));
  const code = await new Promise<number | null>((resolve) => child.once('exit', resolve));
  return { code, stderr };
}

function expectOneLine({ code, stderr }: Ending, ...words: string[]): void {
  expect(code).toBe(1);
  expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  for (const word of words) expect(stderr).toContain(word);
  expect(stderr).not.toMatch(/\n\s+at /);
}

it.each([
  ['review', { DATABASE_URL: undefined }, ['DATABASE_URL is missing', 'postgres://']],
  ['review', { DATABASE_URL: 'mysql://x' }, ['DATABASE_URL is not valid', 'postgres://']],
  ['review', { ACTOR_KEY: 'short' }, ['ACTOR_KEY is not valid', '64 hex digits']],
  ['review', { ACTOR_KEY: undefined, NATS_URL: undefined }, ['ACTOR_KEY is missing', 'NATS_URL is missing']],
  [
    'review',
    { DATABASE_PASSWORD: ',', NATS_PASSWORD: 'a,b,c' },
    [
      'DATABASE_PASSWORD is not valid',
      'NATS_PASSWORD is not valid: expected a secret, or two different ones with a comma',
    ],
  ],
  ['mcp', { ADMISSION_SECRET: 'same,same' }, ['ADMISSION_SECRET is not valid', 'two different ones']],
  ['workspaces', { ACTOR_KEYS: 'review=00' }, ['ACTOR_KEYS is not valid', 'contracts=<64 hex digits>']],
  ['workspaces', { DEPLOYMENT: 'staging' }, ['DEPLOYMENT is not valid', 'test, live']],
  ['payments', { LISTEN_PORT: '99999' }, ['LISTEN_PORT is not valid', '65535']],
  ['gateway', { REVIEW_URL: 'localhost' }, ['REVIEW_URL is not valid', 'http://']],
  ['mcp', { CONFIRMATION_KEYS: 'ab,cd' }, ['CONFIRMATION_KEYS is not valid', '64 hex digits']],
  ['console', { APP_URL: undefined }, ['APP_URL is missing', 'http']],
  ['rest-facade', { LOG_LEVEL: 'loud' }, ['LOG_LEVEL is not valid', 'trace, debug']],
] as const)('%s with %j reports it in one line', async (name, change, words) => {
  expectOneLine(await run(name, change), ...words);
});

it.each(['review', 'rest-facade'] as const)(
  '%s without its database reports the address that it tried',
  async (name) => {
    const url = 'postgres://review:x@127.0.0.1:1/payroll';
    expectOneLine(await run(name, { DATABASE_URL: url }), 'DATABASE_URL', '127.0.0.1:1');
  },
);

it('with a wrong password a service reports that Postgres refused it', async () => {
  const url = new URL(system.stack.database.urls.review);
  url.password = 'wrong';
  expectOneLine(await run('review', { DATABASE_URL: url.href }), 'DATABASE_URL', 'password authentication failed');
});

it.each(['contracts', 'mcp'] as const)('%s reports an address that is not of this machine', async (name) => {
  const { stderr } = await run(name, { LISTEN_HOST: '192.0.2.1' });
  expect(stderr).toContain('LISTEN_PORT: cannot listen on 192.0.2.1:0: the host is not an address of this machine');
});

it.each(['contracts', 'gateway', 'rest-facade', 'mcp', 'console'] as const)(
  '%s reports that its port is taken',
  async (name) => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const { port } = other.address() as { port: number };
    try {
      expectOneLine(await run(name, { LISTEN_PORT: String(port) }), 'LISTEN_PORT', `127.0.0.1:${port}`, 'taken');
    } finally {
      other.close();
    }
  },
);
