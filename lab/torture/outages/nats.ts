import { setTimeout as pause } from 'node:timers/promises';
import { processes } from '@payroll/infra/processes';
import { type Piece, type Principal, type Tenant, waitForPayments } from '../system/workspaces.js';
import { seconds } from '../../table.js';
import type { Outage } from './outage.js';
import { type Answer, approvalOf, call, write } from '../v1.js';

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

/** Answers by kind of request. */
export class Answers {
  private readonly kinds = new Map<string, Answer[]>();

  note(kind: string, answer: Answer): Answer {
    this.kinds.set(kind, [...(this.kinds.get(kind) ?? []), answer]);
    return answer;
  }

  /** `list 420 (0 failed, slowest 0.1 s), …`. */
  get words(): string {
    const words = [...this.kinds].map(([kind, answers]) => {
      const failed = answers.filter(({ status }) => status === 0 || status >= 400).length;
      const slowest = Math.max(...answers.map(({ ms }) => ms)) / 1_000;
      return `${kind} ${answers.length} (${failed} failed, slowest ${slowest.toFixed(2)} s)`;
    });
    return words.join(', ');
  }
}

/** Reads, drafts and approves with every key, one request every few seconds, until the outage is over. */
export async function integrate(
  url: string,
  tenant: Tenant,
  { secret }: Principal,
  { isOver, answers, approved }: { isOver: () => boolean; answers: Answers; approved: (piece: Piece) => void },
): Promise<void> {
  while (!isOver()) {
    answers.note('lists', await call(`${url}/timesheets?limit=20`, secret));
    const piece = tenant.work.pop();
    if (piece) {
      answers.note('reads', await call(`${url}/${piece.kind}s/${piece.id}`, secret));
      const [path, request] = approvalOf(piece);
      const { status } = answers.note('approvals', await call(url + path, secret, request));
      if (status === 200) approved(piece);
    }
    answers.note('drafts', await call(`${url}/contracts`, secret, write({ title: 'Meanwhile' })));
    await pause(2_500);
  }
}
