import { makeEvents, waitUntil } from './waiting.js';
import { seconds } from '../../bench/shown/table.js';
import type { Outage } from './outage.js';

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
    const told = (ms: number | null): string => (ms === null ? `not within ${seconds(GIVEN_MS)}` : seconds(ms));
    const whole = most !== null && all !== null ? most + all : null;
    return [
      { line: `${EVENTS} events: 99 % applied after ${told(most)}, all after ${told(whole)}`, isSafe: all !== null },
    ];
  } finally {
    process.kill(other.pid!, 'SIGCONT');
  }
};
