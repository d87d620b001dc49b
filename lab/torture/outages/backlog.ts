import { setTimeout as pause } from 'node:timers/promises';
import { progress } from '@payroll/tools/cli';
import { countWaiting, makeEvents, waitUntil } from './waiting.js';
import { seconds } from '../../bench/shown/table.js';
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
  const probes = async (): Promise<number> => {
    const { rows } = await database.query<{ count: number }>(
      'select sum(attempt)::int as count from contracts.outbox_delivery',
    );
    return rows[0]!.count;
  };
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
  return [
    {
      line: `${many} waiting: ${asked} probes in ${seconds(AWAY_MS)} of absence; then ${rate.toFixed(0)} applied a second`,
      isSafe: true,
    },
    {
      line: `${fewer} of 1,000 workspaces: applied in ${ms === null ? 'more than an hour' : seconds(ms)}`,
      isSafe: ms !== null,
    },
  ];
};
