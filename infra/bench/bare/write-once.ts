import { createHash, randomUUID } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Pool, PoolClient, QueryResultRow } from 'pg';
import { STATEMENTS } from './statements.js';

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

export type Run = <Row extends QueryResultRow>(
  name: keyof typeof STATEMENTS,
  values?: readonly unknown[],
) => Promise<Row[]>;

export function runnerOf(on: Pool | PoolClient): Run {
  return async (name, values = []) =>
    (await on.query({ name, text: STATEMENTS[name], values: [...values] })).rows as never;
}

interface Change {
  holder: Holder;
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
  await run('audit', [randomUUID(), workspaceId, now, principalId, requestId, type, subjectId, text]);
  await run('emit', [eventId, workspaceId, type, subjectId, text, now, [consumer]]);
  return eventId;
}

/** The claim of the key, the transaction with clock and applied operation, and the claim's completion. */
export async function writeOnce(
  pool: Pool,
  { workspaceId, principalId }: Holder,
  { headers, body, id: requestId }: FastifyRequest,
  { command, status, work }: { command: string; status: number; work: (run: Run, now: string) => Promise<object> },
): Promise<string> {
  const key = headers['idempotency-key'];
  const operationId = randomUUID();
  const fingerprint = createHash('sha256').update(JSON.stringify(body)).digest('base64url');
  await runnerOf(pool)('claim', [principalId, key, fingerprint, operationId, requestId]);
  const answer = await inTransaction(pool, workspaceId, async (run, now) => {
    await run('apply', [workspaceId, principalId, operationId, command, fingerprint, now]);
    const result = JSON.stringify(await work(run, now));
    await run('outcome', [workspaceId, principalId, operationId, result]);
    return result;
  });
  await runnerOf(pool)('complete', [principalId, key, status, answer]);
  return answer;
}

/** Works at `now`, to which it has moved the workspace's clock. */
export async function inTransaction<T>(
  pool: Pool,
  workspaceId: string,
  work: (run: Run, now: string) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  const run = runnerOf(client);
  try {
    await run('begin');
    const [clock] = await run<{ now: string }>('clock', [workspaceId]);
    const result = await work(run, clock!.now);
    await run('commit');
    return result;
  } catch (error) {
    await run('rollback');
    throw error;
  } finally {
    client.release();
  }
}
