import { readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { setImmediate as turn } from 'node:timers/promises';
import { SERVICES } from '@payroll/kernel';
import { readSettings, runMain, StartError } from '@payroll/runtime';
import { connect, errors, type NatsConnection } from '@nats-io/transport-node';
import { Client } from 'pg';
import { serviceSchemas } from '../postgres/roles.js';

/** Tries, inside a service's container and with its credentials, what the service must not be able to do. */
await runMain('isolation', process, {
  try: {
    help: 'fails if this container can do what only another one may',
    run: async (env) => {
      const urls = readSettings(env, (s) => ({
        database: s.databaseUrl(s.secret('DATABASE_PASSWORD')),
        nats: s.natsUrl(s.secret('NATS_PASSWORD')),
      }));
      promise('it runs as nobody special', process.getuid?.() !== 0);
      promise('its disk cannot be written', await fails(writeFile('written', '')));
      promise('it finds its own secrets and no other', readdirSync('/run/payroll').join() === 'environment');
      await tryDatabase(urls.database);
      await tryNats(urls.nats);
    },
  },
});

async function tryDatabase(url: string): Promise<void> {
  const { username } = new URL(url);
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    for (const schema of serviceSchemas.filter((each) => each !== username)) {
      const table = `${schema}.${schema === 'rest_facade' ? 'idempotency_key' : 'audit_entry'}`;
      promise(`it cannot read ${table}`, await fails(client.query(`select from ${table}`), 'permission denied'));
    }
    promise(
      'it cannot make tables',
      await fails(client.query(`create table ${username}.mine ()`), 'permission denied'),
    );
  } finally {
    await client.end();
  }
  const other = serviceSchemas.find((each) => each !== username);
  const wrong = new Client({ connectionString: Object.assign(new URL(url), { username: other }).href });
  promise('Postgres lets it in under no other name', await fails(wrong.connect(), 'password authentication failed'));
}

async function tryNats(url: string): Promise<void> {
  const { host, username: user, password: pass } = new URL(url);
  const connection = await connect({ servers: host, user, pass: decodeURIComponent(pass) });
  try {
    const refused = new Set<string>();
    void recordRefusals(connection, refused);
    // Three words, as all events have: one of four would be refused even where another service's events are not.
    const subjects = SERVICES.filter((each) => each !== user).map((each) => `events.${each}.nobody`);
    for (const subject of subjects) connection.publish(subject);
    // The server sends a refusal before its answer to the following ping.
    await connection.flush();
    await turn();
    for (const subject of subjects) promise(`it cannot publish ${subject}`, refused.has(subject));
  } finally {
    await connection.close();
  }
  const name = SERVICES.find((each) => each !== user)!;
  const other = connect({ servers: host, user: name, pass: decodeURIComponent(pass), reconnect: false });
  promise('NATS lets it in under no other name', await fails(other, 'Authorization Violation'));
}

async function recordRefusals(connection: NatsConnection, refused: Set<string>): Promise<void> {
  for await (const status of connection.status()) {
    if (status.type === 'error' && status.error instanceof errors.PermissionViolationError) {
      refused.add(status.error.subject);
    }
  }
}

function promise(sentence: string, isKept: boolean): void {
  if (!isKept) throw new StartError(`not so: ${sentence}`);
  process.stdout.write(`  ✓ ${sentence}\n`);
}

async function fails(work: Promise<unknown>, why = ''): Promise<boolean> {
  return await work.then(
    () => false,
    (error: unknown) => String(error).includes(why),
  );
}
