import { createHash, randomUUID } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Pool, PoolClient, QueryResultRow } from 'pg';
import { STATEMENTS } from './statements.js';

/** The principal and its workspace. */
export interface Holder {
  workspaceId: string;
  principalId: string;
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
}

/** The audit row of a change. */
export async function audit(run: Run, { holder, requestId, now, type, subjectId, change }: Change): Promise<void> {
  const { workspaceId, principalId } = holder;
  const text = JSON.stringify(change);
  await run('audit', [randomUUID(), workspaceId, now, principalId, requestId, type, subjectId, text]);
}

/** The audit row and the outbox row of a change. @returns the event's id */
export async function note(run: Run, { consumer, ...change }: Change & { consumer: string }): Promise<string> {
  const { holder, now, type, subjectId } = change;
  const eventId = randomUUID();
  await audit(run, change);
  await run('emit', [eventId, holder.workspaceId, type, subjectId, JSON.stringify(change.change), now, [consumer]]);
  return eventId;
}

interface Work {
  command: string;
  work: (run: Run, now: string) => Promise<object>;
}

/** The idempotency key's row, then the transaction with clock, applied operation and outcome. @returns the answer's text */
export async function writeOnce(
  pool: Pool,
  { workspaceId, principalId }: Holder,
  request: FastifyRequest,
  { command, work }: Work,
): Promise<string> {
  const operationId = randomUUID();
  const fingerprint = fingerprintOf(request);
  await runnerOf(pool)('register', [principalId, request.headers['idempotency-key'], fingerprint]);
  return await inTransaction(pool, workspaceId, async (run, now) => {
    await run('apply', [workspaceId, principalId, operationId, command, fingerprint, now]);
    const result = JSON.stringify(await work(run, now));
    await run('outcome', [workspaceId, principalId, operationId, result]);
    return result;
  });
}

function fingerprintOf({ body }: FastifyRequest): string {
  return createHash('sha256').update(JSON.stringify(body)).digest('base64url');
}

/** Runs the work at `now`, the time to which it has moved the workspace's clock. */
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
