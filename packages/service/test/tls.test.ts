import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createLog } from '@payroll/runtime';
import { createDatabase, startTestBackends } from '@payroll/tools/local/test-server';
import { Bus, type NatsSettings, writePathTables } from '@payroll/commands';
import { openDatabase, type Schema } from '@payroll/store';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

const openssl = (...args: string[]): Promise<unknown> => promisify(execFile)('openssl', args);
const NATS_SERVER = 'nats-server';
const started = new AsyncDisposableStack();
const file = (name: string): string => join(dir, name);

const dir = await mkdtemp(join(tmpdir(), 'payroll-tls-'));
started.defer(() => rm(dir, { recursive: true, force: true }));
for (const authority of ['ours', 'theirs']) {
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', file(`${authority}.key`)];
  await openssl('req', '-x509', ...key, '-out', file(`${authority}.pem`), '-subj', `/CN=${authority}`, '-days', '2');
}
await certificate('server');
await certificate('client');
afterAll(() => started.disposeAsync());

/** A certificate for `localhost`, signed by our authority. */
async function certificate(name: string): Promise<void> {
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', file(`${name}.key`)];
  const by = ['-CA', file('ours.pem'), '-CAkey', file('ours.key'), '-days', '2'];
  const names = ['-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
  await openssl('req', '-x509', ...key, ...by, ...names, '-subj', `/CN=${name}`, '-out', file(`${name}.pem`));
}

describe('Postgres over TLS', () => {
  const schema: Schema = {
    name: 'review',
    tables: writePathTables,
    migrations: [],
    migrationsDir: import.meta.dirname,
  };
  let url: URL;

  beforeAll(async () => {
    // Its own server: TLS is a setting of the whole server.
    const { backends } = started.use(await startTestBackends());
    url = new URL((await createDatabase(backends, 'service_tls')).urls.review);
    url.hostname = 'localhost';
    const admin = started.adopt(new Client(backends.adminUrl), (open) => open.end());
    await admin.connect();
    // Postgres reads a key only from a file of its own user.
    for (const [from, to] of [
      ['server.key', 'server.key'],
      ['server.pem', 'server.crt'],
    ] as const) {
      const text = (await readFile(file(from), 'utf8')).trim();
      await admin.query(`copy (select unnest(string_to_array('${text}', E'\\n'))) to program 'umask 077; cat > ${to}'`);
    }
    await admin.query('alter system set ssl = on');
    await admin.query('select pg_reload_conf()');
  });

  /** Whether the new connection is encrypted. */
  async function isEncrypted(query: string): Promise<boolean> {
    const orm = await openDatabase(schema, `${url.href}${query}`);
    try {
      const [row] = await orm.em
        .fork()
        .execute<{ ssl: boolean }[]>('select ssl from pg_stat_ssl where pid = pg_backend_pid()');
      return row!.ssl;
    } finally {
      await orm.close();
    }
  }

  it('is used if the URL requires it, with a server that our authority signed', async () => {
    expect(await isEncrypted('')).toBe(false);
    expect(await isEncrypted(`?sslmode=verify-full&sslrootcert=${file('ours.pem')}`)).toBe(true);
  });

  it.each([
    [
      'another authority vouches',
      () => `sslmode=verify-full&sslrootcert=${file('theirs.pem')}`,
      /DATABASE_URL.*certificate/,
    ],
    ['nobody knows the authority', () => 'sslmode=verify-full', /DATABASE_URL.*certificate/],
    ['the mode does not check', () => 'sslmode=prefer', /sslmode=prefer is not offered/],
    ['the file is not there', () => 'sslmode=verify-full&sslrootcert=/nowhere.pem', /DATABASE_CA_FILE: \/nowhere.pem/],
  ])('is refused if %s', async (_case, query, message) => {
    await expect(isEncrypted(`?${query()}`)).rejects.toThrow(message);
  });
});

describe('NATS over TLS', () => {
  let port: number;

  beforeAll(async () => {
    port = await freePort();
    const tls = `tls { cert_file: "${file('server.pem')}", key_file: "${file('server.key')}", ca_file: "${file('ours.pem')}", verify: true }`;
    await writeFile(file('nats.conf'), `listen: "127.0.0.1:${port}"\n${tls}\n`);
    await chmod(file('nats.conf'), 0o600);
    const server = spawn(NATS_SERVER, ['-c', file('nats.conf')], {
      stdio: 'ignore',
    });
    await vi.waitUntil(() => answers(port), { timeout: 10_000 });
    started.defer(async () => {
      server.kill();
      await once(server, 'exit');
    });
  });

  async function isLetIn(settings: Omit<NatsSettings, 'url'>): Promise<boolean> {
    const url = `tls://localhost:${port},tls://127.0.0.1:${port}`;
    await using bus = new Bus({ url, ...settings, name: 'tls', log: createLog('tls', 'silent') });
    await bus.subscribed();
    return bus.connected;
  }

  it('is used with a server that our authority signed, and sends our client certificate', async () => {
    const own = { certFile: file('client.pem'), keyFile: file('client.key') };
    expect(await isLetIn({ ...own, caFile: file('ours.pem') })).toBe(true);
    expect(await isLetIn({ ...own, caFile: file('theirs.pem') })).toBe(false);
    expect(await isLetIn({ caFile: file('ours.pem') })).toBe(false);
  });
});

async function answers(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  return port;
}
