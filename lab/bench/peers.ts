import { join } from 'node:path';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { parseApiKey } from '@payroll/admission';
import type { Client } from 'pg';
import { findPort } from '@payroll/tools/local/ports';
import { repositoryRoot } from '@payroll/infra/processes';
import type { StackFile } from '@payroll/tools/local/stack-file';
import { actorTokens, composed, hiveFolder } from '@payroll/tests/judges/hive/router';
import type { Stack } from '@payroll/tools/local/assemble-stack';
import type { Request } from '@payroll/tools/operate/requests';
import { type BenchTarget, type Side, type System, json } from './requests.js';
import { type Place, answers, startProgram } from './programs.js';
import type { Workspace } from './workspaces.js';

/** A process of the lab that listens on a free port. */
async function startServer(name: 'bare' | 'hive', more: Record<string, string>, place: Place) {
  const port = await findPort(0, 'free');
  const origin = `http://127.0.0.1:${port}`;
  const args = [join(repositoryRoot, `lab/dist/bench/${name}/main.js`)];
  const env = { NODE_ENV: 'production', ...more, LISTEN_PORT: String(port) };
  const program = { command: process.execPath, args, env, isReady: () => answers(origin) };
  return { pid: await startProgram(name, program, place), origin };
}

/** Starts the bare handler on a copy of the current tables. */
export async function startBare({ v1, one, database }: System, file: StackFile, place: Place): Promise<System> {
  await createBareTables(database);
  const { pid, origin } = await startServer('bare', { DATABASE_URL: file.postgres.url }, place);
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

/** Actor tokens are valid for 15 s. */
const RENEW_MS = 5_000;

export interface Hive extends BenchTarget {
  ask: (query: string, variables: object) => Request;
  /** Timesheets of the one workspace that is queried. */
  timesheets: readonly { id: string }[];
}

/**
 * Hive's gateway in front of the same subgraphs, if it is installed. It does not authenticate its caller: each request
 * brings the tokens that admission would have issued, here for the demo's first workspace.
 */
export async function startHive(stack: Stack, { servers, workspaces }: Side, place: Place): Promise<Hive | null> {
  if (!existsSync(join(hiveFolder, 'node_modules/@graphql-hive/gateway-runtime'))) return null;
  const supergraph = join(stack.dir, 'supergraph.graphql');
  await writeFile(supergraph, await composed(stack));
  const { pid, origin } = await startServer('hive', { SUPERGRAPH: supergraph }, place);
  const headers = renewed(stack);
  return {
    ...{ name: 'hive', origin, servers, timesheets: workspaces[0]!.timesheets },
    processes: () => ({ hive: pid, ...servicesOf(stack) }),
    ask: (query, variables) => json('/graphql', headers(), { query, variables }),
  };
}

/** The CPU of the subgraphs counts for it too. */
function servicesOf({ file }: Stack): Record<string, number> {
  return Object.fromEntries(Object.entries(file.processes).filter(([name]) => name !== 'rest-facade'));
}

function renewed(stack: Stack): () => Record<string, string> {
  const { id } = stack.file.workspaces![0]!;
  let made = { at: -Infinity, headers: {} as Record<string, string> };
  return () => {
    const now = performance.now();
    if (now - made.at > RENEW_MS) made = { at: now, headers: actorTokens(stack, id) };
    return made.headers;
  };
}
