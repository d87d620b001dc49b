import { createHash, randomUUID } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { Pool, type PoolClient, type QueryResultRow } from 'pg';

/** Who sent the request. */
export interface Holder {
  workspaceId: string;
  principalId: string;
  role: string;
  scopes: string[];
  integrationEnabled: boolean;
  writesEnabled: boolean;
  principalUsed: number;
  workspaceUsed: number;
}

/** A statement that Postgres parses and plans once per connection. */
export interface Prepared {
  name: string;
  text: string;
}

export type Run = <Row extends QueryResultRow>(statement: Prepared, values?: readonly unknown[]) => Promise<Row[]>;

/** As many connections as each of our services has. */
export function openPool(connectionString: string): Pool {
  return new Pool({ connectionString, max: 10, options: '-c search_path=bench' });
}

export function runnerOf(on: Pool | PoolClient): Run {
  return async (statement, values = []) => (await on.query({ ...statement, values: [...values] })).rows as never;
}

const AUDIT: Prepared = {
  name: 'audit',
  text: `insert into audit_entry
      (id, workspace_id, at, actor_kind, principal_id, via, request_id, action, subject_id, change)
    values ($1, $2, $3, 'api_key', $4, 'rest', $5, $6, $7, $8)`,
};
const EMIT: Prepared = {
  name: 'emit',
  text: `insert into outbox_event (id, workspace_id, type, about_id, body, recorded_at, awaiting, attempt, due_at)
    values ($1, $2, $3, $4, $5, $6, $7, 0, $6)`,
};

export interface Change {
  holder: Pick<Holder, 'workspaceId' | 'principalId'>;
  requestId: string;
  now: string;
  type: string;
  subjectId: string;
  change: object;
  consumer: string;
}

/** The audit row and the outbox row of a change; gives back the event's id. */
export async function note(run: Run, { holder, requestId, now, type, subjectId, change, consumer }: Change) {
  const { workspaceId, principalId } = holder;
  const eventId = randomUUID();
  const text = JSON.stringify(change);
  await run(AUDIT, [randomUUID(), workspaceId, now, principalId, requestId, type, subjectId, text]);
  await run(EMIT, [eventId, workspaceId, type, subjectId, text, now, [consumer]]);
  return eventId;
}

const prepared = (name: string, text: string): Prepared => ({ name, text });

const CLAIM = prepared(
  'claim',
  `insert into idempotency_claim
     (principal_id, key, fingerprint, operation_id, attempt, state, request_id, begun_at, lease_until)
   values ($1, $2, $3, $4, 1, 'running', $5, statement_timestamp(), statement_timestamp() + interval '3 s')
   on conflict do nothing`,
);
const COMPLETE = prepared(
  'complete',
  `update idempotency_claim set state = 'done', finished_at = clock_timestamp(), status = $3, body = $4
   where principal_id = $1 and key = $2 and state = 'running'`,
);
const BEGIN = prepared('begin', 'begin');
const COMMIT = prepared('commit', 'commit');
const ROLLBACK = prepared('rollback', 'rollback');
const CLOCK = prepared(
  'clock',
  `insert into change_clock (workspace_id, last) values ($1, clock_timestamp())
   on conflict (workspace_id) do update
     set last = greatest(clock_timestamp(), change_clock.last + interval '1 microsecond')
   returning last::text as now`,
);
const APPLY = prepared(
  'apply',
  `insert into applied_operation (workspace_id, principal_id, operation_id, command, fingerprint, applied_at)
   values ($1, $2, $3, $4, $5, $6) on conflict do nothing`,
);
const OUTCOME = prepared(
  'outcome',
  `update applied_operation set outcome = $4
   where workspace_id = $1 and principal_id = $2 and operation_id = $3`,
);

export interface Write {
  command: string;
  status: number;
  /** Runs in the transaction that moved the workspace's clock to `now`. */
  work: (run: Run, now: string, operationId: string) => Promise<object>;
}

/** The claim of the key, the transaction with clock and applied operation, and the claim's completion. */
export async function writeOnce(
  pool: Pool,
  { workspaceId, principalId }: Holder,
  { headers, body, id: requestId }: FastifyRequest,
  { command, status, work }: Write,
): Promise<string> {
  const key = headers['idempotency-key'];
  const operationId = randomUUID();
  const fingerprint = createHash('sha256').update(JSON.stringify(body)).digest('base64url');
  await runnerOf(pool)(CLAIM, [principalId, key, fingerprint, operationId, requestId]);
  const answer = await inTransaction(pool, async (run) => {
    const [clock] = await run<{ now: string }>(CLOCK, [workspaceId]);
    await run(APPLY, [workspaceId, principalId, operationId, command, fingerprint, clock!.now]);
    const result = JSON.stringify(await work(run, clock!.now, operationId));
    await run(OUTCOME, [workspaceId, principalId, operationId, result]);
    return result;
  });
  await runnerOf(pool)(COMPLETE, [principalId, key, status, answer]);
  return answer;
}

export async function inTransaction<T>(pool: Pool, work: (run: Run) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  const run = runnerOf(client);
  try {
    await run(BEGIN);
    const result = await work(run);
    await run(COMMIT);
    return result;
  } catch (error) {
    await run(ROLLBACK);
    throw error;
  } finally {
    client.release();
  }
}

export const moveClock = async (run: Run, workspaceId: string): Promise<string> => {
  const [clock] = await run<{ now: string }>(CLOCK, [workspaceId]);
  return clock!.now;
};
