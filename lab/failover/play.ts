import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import type { Stack } from '@payroll/tools/local/assemble-stack';
import type { Clients } from './clients.js';
import { compare, type Told } from './compare.js';
import type { Rig } from './rig.js';
import type { Cast, Scene } from './scenes.js';
import { backAfter, type Played } from './verdict.js';

export interface Stage extends Told {
  rig: Rig;
  stack: Stack;
}

const STEADY_MS = 5_000;
/** Longer than any promise; then the failover is reported without writes. */
const GIVES_UP_MS = 120_000;
/** An approval waits for its consumers' replies after the commit. */
const ANSWERS_WITHIN_MS = 2_000;

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
  await scene.repair?.(cast);
  await rig.whole();
  await clients.pause();
  findings.push(...clients.improper.slice(known));
  return { scene, backMs, unreplicated, findings, ...(await compare(stage, stage.stack.file.provider, findings)) };
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
