import { setTimeout as pause } from 'node:timers/promises';
import { processes } from '@payroll/infra/processes';
import { seconds } from '../../table.js';
import type { Answer, ApiClient, ApiRequest } from '../../v1.js';
import {
  approvalOf,
  draftOf,
  type Principal,
  type Tenant,
  waitForPayments,
  type WorkItem,
} from '../system/workspaces.js';
import type { Outage } from './outage.js';

const AWAY_MS = 600_000;
const GIVEN_MS = 120_000;

/** Reading, drafting and approving do not need NATS: the events of an approval wait in the outbox. */
export const natsAway: Outage = async ({ stack, api, database, tenants, isShort }) => {
  const awayMs = isShort ? AWAY_MS / 50 : AWAY_MS;
  const all = await tenants(isShort ? 200 : 4_000);
  const seen: Seen = { isOver: false, answers: {}, acknowledged: [] };
  await stack.nats.stop();
  const work = all.flatMap((tenant) => tenant.admins.slice(0, 4).map((admin) => integrate(api, tenant, admin, seen)));
  let unready = 0;
  const until = performance.now() + awayMs;
  while (performance.now() < until) {
    for (const { name } of processes) {
      const answer = await fetch(`http://127.0.0.1:${stack.ports[name]}/readyz`).catch(() => null);
      if (!answer?.ok) unready += 1;
    }
    await pause(1_000);
  }
  seen.isOver = true;
  await Promise.all(work);
  await stack.nats.start();
  const { without, doubled, ms } = await waitForPayments(database, seen.acknowledged, GIVEN_MS);
  const paid = `all ${seen.acknowledged.length} approvals have their payment ${seconds(ms)} after it is back`;
  return [
    {
      line: `${seconds(awayMs)} without: ${describe(seen)}; ${unready} times a process was not ready`,
      isSafe: true,
    },
    { line: `${paid}: ${without} without, ${doubled} doubled`, isSafe: without === 0 && doubled === 0 },
  ];
};

interface Seen {
  isOver: boolean;
  /** By kind of request. */
  answers: Record<string, Answer[]>;
  acknowledged: WorkItem[];
}

/** Reads, drafts and approves, one request every few seconds, until the outage is over. */
async function integrate(api: ApiClient, { work }: Tenant, { secret }: Principal, seen: Seen): Promise<void> {
  const send = async (kind: string, request: ApiRequest): Promise<Answer> => {
    const answer = await api.send(secret, request);
    (seen.answers[kind] ??= []).push(answer);
    return answer;
  };
  while (!seen.isOver) {
    await send('lists', { method: 'GET', path: '/timesheets', query: { limit: '20' } });
    const item = work.pop();
    if (item) {
      await send('reads', { method: 'GET', path: `/${item.kind}s/{id}`, id: item.id });
      if ((await send('approvals', approvalOf(item))).status === 200) seen.acknowledged.push(item);
    }
    await send('drafts', draftOf({ title: 'Meanwhile' }));
    await pause(2_500);
  }
}

/** `lists 420 (0 failed, slowest 0.1 s), …`. */
function describe({ answers }: Seen): string {
  const kinds = Object.entries(answers).map(([kind, all]) => {
    const failed = all.filter(({ status }) => status === 0 || status >= 400).length;
    const slowest = Math.max(...all.map(({ ms }) => ms)) / 1_000;
    return `${kind} ${all.length} (${failed} failed, slowest ${slowest.toFixed(2)} s)`;
  });
  return kinds.join(', ');
}
