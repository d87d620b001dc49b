import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Client } from 'pg';
import { findPort } from '../local/ports.js';
import { repositoryRoot } from '../local/processes.js';
import type { Stack } from '../local/assemble-stack.js';

/** Something that answers the same requests: our system, or the bare handler it is compared with. */
export interface Target {
  name: 'ours' | 'bare';
  origin: string;
  prefix: string;
  processes: () => Readonly<Record<string, number>>;
  headers: Record<string, string>;
}

export function ourTarget(stack: Stack): Target {
  const { origin } = new URL(stack.file.rest.url);
  const headers = { authorization: `Bearer ${stack.file.workspaces![0]!.apiKeys.admin}` };
  return { name: 'ours', origin, prefix: '/v1', processes: () => stack.file.processes, headers };
}

/** Starts the bare handler on a copy of the tables as they are now. */
export async function bareTarget(stack: Stack, database: Client, cleanup: AsyncDisposableStack): Promise<Target> {
  await createBareTables(database);
  const port = await findPort(0, 'free');
  const url = new URL(stack.database.adminUrl);
  url.pathname = '/payroll';
  const child = spawn(process.execPath, [join(repositoryRoot, 'infra/dist/bench/bare/main.js')], {
    env: { ...process.env, DATABASE_URL: url.href, LISTEN_PORT: String(port) },
    stdio: 'inherit',
  });
  cleanup.defer(async () => {
    child.kill();
    await once(child, 'exit');
  });
  const origin = `http://127.0.0.1:${port}`;
  while (!(await fetch(origin).catch(() => null))) await new Promise((resolve) => setTimeout(resolve, 50));
  const headers = await bareHeaders(stack.file.workspaces![0]!.apiKeys.admin, database);
  return { name: 'bare', origin, prefix: '', processes: () => ({ bare: child.pid! }), headers };
}

/** The same key, as its row's id and the digest of its secret: taking its text apart is not what is measured. */
async function bareHeaders(key: string, database: Client): Promise<Record<string, string>> {
  const proof = sha256(key.split('_')[3]!.slice(0, 50));
  const query = 'select id from bench.api_key where secret_hash = $1';
  const { rows } = await database.query<{ id: string }>(query, [sha256(proof)]);
  return { 'x-key-id': rows[0]!.id, 'x-key-proof': proof };
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

/** Tables of the services, and whether the bare handler needs their rows too. */
const COPIES = [
  ['workspaces.business', 'rows'],
  ['workspaces.membership', 'rows'],
  ['workspaces.api_key', 'rows'],
  ['rest_facade.idempotency_claim'],
  ['review.timesheet', 'rows'],
  ['review.change_clock'],
  ['review.applied_operation'],
  ['review.audit_entry'],
  ['review.outbox_event'],
  ['review.inbox_event'],
  ['contracts.contract'],
  ['payments.payment'],
] as const;

/** Copies in a schema of their own, indexes and constraints included: no service sees what the bare handler writes. */
async function createBareTables(database: Client): Promise<void> {
  await database.query('create schema bench');
  await database.query('create unlogged table bench.rate_counter (like workspaces.rate_counter including all)');
  for (const [table, rows] of COPIES) {
    const copy = `bench.${table.split('.')[1]!}`;
    await database.query(`create table ${copy} (like ${table} including all)`);
    if (rows) await database.query(`insert into ${copy} select * from ${table}`);
    await database.query(`vacuum analyze ${copy}`);
  }
}
