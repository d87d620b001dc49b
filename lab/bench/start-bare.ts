import { join } from 'node:path';
import { parseApiKey } from '@payroll/admission';
import type { Client } from 'pg';
import { findPort } from '@payroll/tools/local/ports';
import { repositoryRoot } from '@payroll/infra/processes';
import type { StackFile } from '@payroll/tools/local/stack-file';
import type { Side, System } from './requests.js';
import { type Place, answers, startProgram } from './programs.js';
import type { Workspace } from './workspaces.js';

/** Starts the bare handler on a copy of the current tables. */
export async function startBare({ v1, one, database }: System, file: StackFile, place: Place): Promise<System> {
  await createBareTables(database);
  const port = await findPort(0, 'free');
  const origin = `http://127.0.0.1:${port}`;
  const args = [join(repositoryRoot, 'lab/dist/bench/bare/main.js')];
  const env = { NODE_ENV: 'production', DATABASE_URL: file.postgres.url, LISTEN_PORT: String(port) };
  const pid = await startProgram(
    'bare',
    { command: process.execPath, args, env, isReady: () => answers(origin) },
    place,
  );
  const target = { name: 'bare', origin, prefix: '', processes: () => ({ bare: pid }) };
  const sideOf = ({ servers, workspaces }: Side): Side => ({
    ...target,
    servers,
    workspaces: workspaces.map(presented),
  });
  return { database, v1: sideOf(v1), one: sideOf(one) };
}

/** Sends each key as its row's id and the digest of its secret: parsing a key is not measured. */
function presented({ keys, contractIds, timesheets }: Workspace): Workspace {
  return {
    contractIds,
    keys: keys.map(({ authorization }) => {
      const { id, proof } = parseApiKey(authorization, 'test')!;
      return { 'x-key-id': id, 'x-key-proof': proof };
    }),
    // All are at their first version, which the bare handler calls by its number.
    timesheets: timesheets.map(({ id }) => ({ id, version: '1' })),
  };
}

/** Tables of the services, and whether the bare handler needs their rows too. */
const COPIES = [
  ['workspaces.business', 'rows'],
  ['workspaces.membership', 'rows'],
  ['workspaces.api_key', 'rows'],
  ['rest_facade.idempotency_key'],
  ['review.timesheet', 'rows'],
  ['review.change_clock'],
  ['review.applied_operation'],
  ['review.audit_entry'],
  ['review.outbox_event'],
  ['review.outbox_delivery'],
  ['contracts.contract', 'rows'],
  ['contracts.worker', 'rows'],
  ['payments.payment', 'rows'],
  ['payments.ledger_account', 'rows'],
] as const;

/**
 * Copies the tables into a separate schema, with indexes and constraints, so that no service sees the bare handler's
 * writes.
 */
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
