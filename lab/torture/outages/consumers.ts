import { setTimeout as pause } from 'node:timers/promises';
import { progress } from '@payroll/tools/cli';
import { copyEvents } from '@payroll/tools/demo/copied-events';
import type { Pool } from 'pg';
import { seconds } from '../../table.js';
import { until } from '../../until.js';
import type { Outage } from './outage.js';

const AWAY_MS = 20_000;
/** How long the drain of the large backlog is measured; only its rate counts. */
const WATCHED_MS = 60_000;
const HOUR_MS = 3_600_000;

/** An absent consumer costs one probe per round, however many events wait for it. Afterwards it catches up. */
export const backlog: Outage = async ({ stack, database, tenants, isShort }) => {
  await tenants(8);
  const share = isShort ? 50 : 1;
  const [many, fewer] = [1_000_000 / share, 100_000 / share];
  await stack.stop('payments');
  progress(`${many} events wait`);
  await makeEvents(database, many, 1_000);
  const probes = () => countWaiting(database, 'sum(attempt)');
  const before = await probes();
  await pause(AWAY_MS);
  const asked = (await probes()) - before;
  await stack.start('payments');
  await stack.ready('payments');
  const from = await countWaiting(database);
  const drained = await waitUntil(database, 0, isShort ? HOUR_MS : WATCHED_MS);
  const rate = ((from - (await countWaiting(database))) / (drained ?? WATCHED_MS)) * 1_000;

  progress(`${fewer} events of 1,000 workspaces wait`);
  await stack.stop('payments');
  await database.query('truncate contracts.outbox_delivery');
  await makeEvents(database, fewer, 1_000);
  await stack.start('payments');
  await stack.ready('payments');
  const ms = await waitUntil(database, 0, HOUR_MS);
  const probed = `${many} waiting: ${asked} probes in ${seconds(AWAY_MS)} of absence`;
  return [
    { line: `${probed}; then ${rate.toFixed(0)} applied a second`, isSafe: true },
    { line: `${fewer} of 1,000 workspaces: applied in ${toldOf(ms, HOUR_MS)}`, isSafe: ms !== null },
  ];
};

const EVENTS = 1_000;
const GIVEN_MS = 120_000;

/**
 * A suspended process stays in its queue group for a while: requests to it time out, and the events go to the other
 * process.
 */
export const suspendedConsumer: Outage = async ({ stack, database, tenants, cleanup }) => {
  await tenants(8);
  const other = cleanup.use(await stack.another('payments'));
  process.kill(other.pid!, 'SIGSTOP');
  try {
    await makeEvents(database, EVENTS, 100);
    const most = await waitUntil(database, EVENTS / 100, GIVEN_MS);
    const all = await waitUntil(database, 0, GIVEN_MS);
    const whole = most !== null && all !== null ? most + all : null;
    const line = `${EVENTS} events: 99 % applied after ${toldOf(most, GIVEN_MS)}, all after ${toldOf(whole, GIVEN_MS)}`;
    return [{ line, isSafe: all !== null }];
  } finally {
    process.kill(other.pid!, 'SIGCONT');
  }
};

const toldOf = (ms: number | null, withinMs: number): string =>
  ms === null ? `more than ${seconds(withinMs)}` : seconds(ms);

/** Events of contracts that payments has not confirmed, spread over this many workspaces. */
async function makeEvents(database: Pool, count: number, workspaces: number): Promise<void> {
  await copyEvents(database, { count, workspaces, consumers: ['payments'] });
  await database.query('analyze contracts.outbox_event, contracts.outbox_delivery');
}

async function countWaiting(database: Pool, counted = 'count(*)'): Promise<number> {
  const statement = `select (${counted})::int as count from contracts.outbox_delivery`;
  return (await database.query<{ count: number }>(statement)).rows[0]!.count;
}

/** Waits until at most `most` events are unconfirmed. @returns the time in ms; null after `withinMs` */
async function waitUntil(database: Pool, most: number, withinMs: number): Promise<number | null> {
  const startedAt = performance.now();
  const isDrained = async () => (await countWaiting(database)) <= most;
  const seen = await until(isDrained, { everyMs: 100, withinMs });
  return seen === undefined ? null : performance.now() - startedAt;
}
