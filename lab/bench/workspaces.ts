import { newApiKey } from '@payroll/admission';
import { newId } from '@payroll/kernel';
import { Client } from 'pg';
import { copiesOf, NEWER } from '../copied-rows.js';
import { ApiClient, listAll } from '../v1.js';
import { accessTo, ask } from '@payroll/tools/demo/graphql-client';
import { SUBMIT_TIMESHEET } from '@payroll/tools/demo/operations';
import { type Submitted, contractIn, hourly, registerWorker } from '@payroll/tools/demo/steps';
import type { DemoWorkspace, StackFile } from '@payroll/tools/local/stack-file';

/** A workspace that requests are about, and the headers of its callers. */
export interface Workspace {
  keys: readonly Record<string, string>[];
  contractIds: readonly string[];
  /** Submitted. The first `READ` are read; those after them are approved, each once. */
  timesheets: Submitted[];
}

/** Enough that 32 connections keep every key within 60 writes and 600 reads a minute. */
const WORKSPACES = 512;
/** Enough keys to use up a workspace's 2,000 requests a minute with writes. */
const KEYS_OF_ONE = 40;
/** More than a page. */
export const READ = 60;

/**
 * The rows that a workspace starts with, and the columns that differ in a copy. Nothing becomes due during the bench.
 */
const COPIED: readonly (readonly [table: string, workspaceId: string, own: string])[] = [
  ['workspaces.business', 'id', "'id', other.id"],
  ['workspaces.membership', 'workspace_id', ''],
  ['contracts.worker', 'workspace_id', ''],
  ['contracts.contract', 'workspace_id', ''],
  ['review.contract_terms', 'workspace_id', ''],
  ['review.timesheet', 'workspace_id', "'id', gen_random_uuid(), 'approve_at', null"],
  ['payments.business', 'workspace_id', ''],
  ['payments.contract_worker', 'workspace_id', ''],
  ['payments.ledger_account', 'workspace_id', ''],
  [
    'payments.payment',
    'workspace_id',
    "'id', gen_random_uuid(), 'source_id', gen_random_uuid(), 'auto_pay_enabled', false",
  ],
];

const copyToOthers = ([table, workspaceId, own]: (typeof COPIED)[number]) => `insert into ${table}
  select copy.* from ${table} t, unnest($2::uuid[]) other (id),
    jsonb_populate_record(t, jsonb_build_object('${workspaceId}', other.id) || jsonb_build_object(${own})) copy
  where t.${workspaceId} = $1`;

const copyInPlace = (table: string): string =>
  copiesOf(table, 't.workspace_id = $1 and t.id = $3', `'id', gen_random_uuid(), ${NEWER}`);

const KEYS = `insert into workspaces.api_key
  select copy.* from workspaces.api_key k,
    unnest($2::uuid[], $3::uuid[], $4::text[]) given (id, workspace_id, secret_hash),
    jsonb_populate_record(k, to_jsonb(given) || jsonb_build_object('principal_id', gen_random_uuid())) copy
  where k.workspace_id = $1 and k.name = 'Demo admin'`;

/** Timesheets that need to be approved: in each of the many workspaces, and in the busy one. */
export interface Approvals {
  each: number;
  one: number;
}

/**
 * Workspaces copied from the first one of the demo: `many` with one key each, and `one` with many keys. The statements
 * name only columns that every version has. `assistants` are the demo's own two, with its tokens for `/mcp`.
 */
export async function makeWorkspaces(file: StackFile, database: Client, approvals: Approvals) {
  const [first, second] = file.workspaces as [DemoWorkspace, DemoWorkspace];
  const { contractId, timesheet } = await submitOne(file, first.id);
  await database.query(copyInPlace('review.timesheet'), [first.id, READ + approvals.each, timesheet.id]);
  await database.query(copyInPlace('contracts.contract'), [first.id, READ, contractId]);
  const others = Array.from({ length: WORKSPACES + 1 }, newId);
  for (const copied of COPIED) await database.query(copyToOthers(copied), [first.id, others]);
  await database.query(copyToOthers(COPIED.find(([table]) => table === 'review.timesheet')!), [first.id, [second.id]]);
  const busy = others.at(-1)!;
  const ofBusy = 'select id from review.timesheet where workspace_id = $1 and contract_id = $2 limit 1';
  const { rows } = await database.query<{ id: string }>(ofBusy, [busy, contractId]);
  await database.query(copyInPlace('review.timesheet'), [busy, approvals.one, rows[0]!.id]);
  await database.query('vacuum analyze');
  const more = Array.from({ length: KEYS_OF_ONE - 1 }, () => busy);
  const keys = await makeKeys(database, first.id, [...others, ...more]);
  const read = readerOf(file, contractId);
  return {
    many: await Promise.all(keys.slice(0, WORKSPACES).map((key) => read(key, [key]))),
    one: await read(keys[WORKSPACES]!, keys.slice(WORKSPACES)),
    assistants: await Promise.all(
      [first, second].map(({ apiKeys, mcpTokens }) => read(apiKeys.viewer, Object.values(mcpTokens!))),
    ),
  };
}

/** One timesheet, submitted as people do. */
async function submitOne(file: StackFile, workspaceId: string) {
  const access = accessTo(file.graphql, workspaceId);
  const worker = await registerWorker(access, 'Mara Measured', 'bench.example');
  const contractId = await contractIn(access, worker, hourly('Measured', 'EUR', '50'), 'active');
  const input = { contractId, periodStart: '2027-02-01', periodEnd: '2027-02-28', unitsWorked: '160' };
  return { contractId, timesheet: await ask<Submitted>(access, SUBMIT_TIMESHEET, { input }) };
}

/** A key with a new principal for each of these workspaces. */
async function makeKeys(database: Client, like: string, workspaceIds: readonly string[]): Promise<string[]> {
  const keys = workspaceIds.map(() => newApiKey('test'));
  await database.query(KEYS, [like, keys.map(({ id }) => id), workspaceIds, keys.map(({ hash }) => hash)]);
  return keys.map(({ text }) => text);
}

/** Reads the rows of a workspace with one key, for requests with other keys. */
function readerOf({ rest }: StackFile, contractId: string) {
  const api = new ApiClient([rest.url]);
  return async (reader: string, keys: readonly string[]): Promise<Workspace> => {
    const work = { path: '/timesheets', query: { contractId, status: 'submitted' } };
    const contracts = await listAll<{ id: string }>(api, reader, { path: '/contracts', query: { status: 'active' } });
    return {
      keys: keys.map((key) => ({ authorization: `Bearer ${key}` })),
      timesheets: await listAll<Submitted>(api, reader, work),
      contractIds: contracts.map(({ id }) => id),
    };
  };
}

/** A connection as the owner of all tables, closed at the end. */
export async function connect(
  { postgres }: Pick<StackFile, 'postgres'>,
  cleanup: AsyncDisposableStack,
): Promise<Client> {
  const database = cleanup.adopt(new Client(postgres.url), (open) => open.end());
  await database.connect();
  return database;
}

/** Counts no request in these schemas until the returned function is called. */
export async function liftLimits(database: Client, schemas: readonly string[]): Promise<() => Promise<void>> {
  for (const schema of schemas) {
    await database.query(`
      create or replace function ${schema}.count_nothing() returns trigger language plpgsql
        as $$ begin new.used := 0; return new; end $$;
      grant execute on function ${schema}.count_nothing() to public;
      create trigger count_nothing before insert or update on ${schema}.rate_counter
        for each row execute function ${schema}.count_nothing()`);
  }
  return async () => {
    for (const schema of schemas) await database.query(`drop trigger count_nothing on ${schema}.rate_counter`);
  };
}
