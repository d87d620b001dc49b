import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { connected } from '@payroll/infra/postgres/bootstrap';
import { ordersOf } from '@payroll/tests/support/provider-orders';
import type { Stack } from '@payroll/tools/local/assemble-stack';
import { describeVerdict, runConsistencyChecks, type ConsistencyResult } from '@payroll/tools/operate/judge';
import type { Clients } from './clients.js';
import type { Rig } from './rig.js';
import type { Cast, Scene } from './scenes.js';
import { backAfter, type Played } from './verdict.js';

export interface Stage {
  rig: Rig;
  stack: Stack;
  clients: Clients;
  /** A superuser's, of the database payroll. */
  databaseUrl: string;
  /** Work of which a loss or a second payment is reported already. */
  reported: Set<string>;
}

const STEADY_MS = 5_000;
/** Longer than any promise; then the failover is reported without writes. */
const GIVES_UP_MS = 120_000;
/** An approval waits for its consumers' replies after the commit. */
const ANSWERS_WITHIN_MS = 2_000;
const RECONCILED_WITHIN_MS = 90_000;

/** One failover under load: strikes, waits until writes are back, repairs, and compares the clients' answers with the database. */
export async function play(scene: Scene, stage: Stage): Promise<Played> {
  const { rig, clients } = stage;
  clients.resume();
  await steadyFrom(clients, performance.now());
  const known = clients.improper.length;
  const cast: Cast = { rig, ...(await rig.roles()), endOfCommit: (withinMs) => endOfCommit(stage.stack, withinMs) };

  let from = performance.now();
  await scene.strike(cast);
  const silentFrom = performance.now() + ANSWERS_WITHIN_MS;
  const findings = (await scene.silence?.(cast)) ?? [];
  const acknowledgedIn = (start: number, end: number): number =>
    clients.acknowledged.filter(({ at }) => at > start && at < end).length;
  const unreplicated = scene.silence ? acknowledgedIn(silentFrom, performance.now()) : 0;
  if (scene.end !== undefined) {
    from = performance.now();
    await scene.end(cast);
  }
  const until = await steadyFrom(clients, from + (scene.watchMs ?? 0));
  const backMs = backAfter(
    clients.acknowledged.map(({ at }) => at),
    from,
    until,
  );
  if (scene.movesPrimary && (await rig.roles()).primary === cast.primary)
    findings.push('the primary is the same server');
  scene.repair?.(cast);
  await rig.whole();
  await clients.pause();
  findings.push(...clients.improper.slice(known));
  return { scene, backMs, unreplicated, findings, ...(await compare(stage, findings)) };
}

/** Resolves when approvals have been acknowledged without an interruption for a while, at the earliest then after `start`. */
async function steadyFrom({ acknowledged }: Clients, start: number): Promise<number> {
  const givesUp = Math.max(start, performance.now()) + GIVES_UP_MS;
  for (;;) {
    const now = performance.now();
    const times = acknowledged.map(({ at }) => at);
    const isSteady = now - start > STEADY_MS && backAfter(times, now - STEADY_MS, now) === 0;
    if (isSteady || now > givesUp) return now;
    await pause(200);
  }
}

/** Adds what reconcile finds. */
async function compare({ stack, clients, databaseUrl, reported }: Stage, findings: string[]) {
  return await connected(databaseUrl, async (client) => {
    const until = performance.now() + RECONCILED_WITHIN_MS;
    let verdicts: ConsistencyResult[];
    do {
      await pause(500);
      verdicts = (await runConsistencyChecks(client)).filter((each) => each.findings > 0);
    } while (verdicts.length > 0 && performance.now() < until);
    findings.push(...verdicts.map(describeVerdict));
    const told = clients.acknowledged;
    const { rows: lost } = await client.query<{ id: string }>(
      `select told.id from unnest($1::uuid[], $2::uuid[]) as told (id, payment_id)
        where not exists (select from payments.payment where payment.id = told.payment_id and source_id = told.id)`,
      [told.map(({ piece }) => piece.id), told.map(({ paymentId }) => paymentId)],
    );
    const { rows: doubled } = await client.query<{ id: string }>(
      'select source_id as id from payments.payment group by source_id having count(*) > 1',
    );
    // No two pieces of work have the same amount.
    const settled = (await ordersOf(stack.file.provider)).filter(({ state }) => state === 'settled');
    const paidTwice = [...Map.groupBy(settled, ({ amount, currency }) => `${Number(amount)} ${currency}`)]
      .filter(([, orders]) => orders.length > 1)
      .map(([amount]) => amount);
    const newOnes = (ids: string[]): number => ids.filter((id) => !reported.has(id) && reported.add(id)).length;
    return {
      lost: newOnes(lost.map(({ id }) => `lost ${id}`)),
      paidTwice: newOnes([...doubled.map(({ id }) => `doubled ${id}`), ...paidTwice]),
    };
  });
}

/** How a transaction of a service's role ends, whose time-outs are 3 and 5 s; undefined if it has not by then. */
async function endOfCommit(stack: Stack, withinMs: number): Promise<string | undefined> {
  const client = new Client({ connectionString: stack.environmentOf('payments')['DATABASE_URL']! });
  client.on('error', () => undefined);
  await client.connect();
  await client.query('begin');
  await client.query('insert into change_clock (workspace_id, last) values ($1, now())', [randomUUID()]);
  const committed = client.query('commit').then(
    ({ command }) => command,
    (error: unknown) => String(error),
  );
  const end = await Promise.race([committed, pause(withinMs)]);
  // Not `end()`, which waits for the answer.
  client.connection.stream.destroy();
  return end ?? undefined;
}
