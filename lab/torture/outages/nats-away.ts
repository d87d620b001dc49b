import { setTimeout as pause } from 'node:timers/promises';
import { processes } from '@payroll/infra/processes';
import type { Piece } from '../stage/work.js';
import { Answers, integrate } from './integrator.js';
import { seconds } from '../../bench/shown/table.js';
import type { Outage } from './outage.js';
import { waitForPayments } from '../stage/payments.js';

const AWAY_MS = 600_000;
const GIVEN_MS = 120_000;

/** Reading, drafting and approving do not need NATS: the events of an approval wait in the outbox. */
export const natsAway: Outage = async ({ stack, database, tenants, isShort }) => {
  const awayMs = isShort ? AWAY_MS / 50 : AWAY_MS;
  const all = await tenants(isShort ? 200 : 4_000);
  const answers = new Answers();
  const acknowledged: Piece[] = [];
  let isOver = false;
  const approved = (piece: Piece): void => void acknowledged.push(piece);
  await stack.nats.stop();
  const work = all.flatMap((tenant) =>
    tenant.admins
      .slice(0, 4)
      .map((admin) => integrate(stack.file.rest.url, tenant, admin, { isOver: () => isOver, answers, approved })),
  );
  let unready = 0;
  const until = performance.now() + awayMs;
  while (performance.now() < until) {
    for (const { name } of processes) {
      const answer = await fetch(`http://127.0.0.1:${stack.ports[name]}/readyz`).catch(() => null);
      if (!answer?.ok) unready += 1;
    }
    await pause(1_000);
  }
  isOver = true;
  await Promise.all(work);
  await stack.nats.start();
  const { without, doubled, ms } = await waitForPayments(database, acknowledged, GIVEN_MS);
  return [
    { line: `${seconds(awayMs)} without: ${answers.words}; ${unready} times a process was not ready`, isSafe: true },
    {
      line: `all ${acknowledged.length} approvals have their payment ${seconds(ms)} after it is back: ${without} without, ${doubled} doubled`,
      isSafe: without === 0 && doubled === 0,
    },
  ];
};
