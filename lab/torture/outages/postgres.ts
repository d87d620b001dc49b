import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { ProcessName } from '@payroll/infra/processes';
import { progress } from '@payroll/tools/cli';
import { FaultyPostgres } from '../system/faulty-postgres.js';
import { type Answer, ApiClient } from '../../v1.js';
import { approvalOf, draftOf, type Tenant, waitForPayments, type WorkItem } from '../system/workspaces.js';
import type { Outage, Scene, Verdict } from './outage.js';
import { seconds } from '../../table.js';
import { until } from '../../until.js';

const KILLS = 200;
const GIVEN_MS = 60_000;
const BUSY: readonly ProcessName[] = ['rest-facade', 'review', 'contracts', 'payments'];

/** Kills Postgres before the nth statement from now on. */
class Killer {
  private countdown = Infinity;
  private killed: Promise<void> | undefined;
  sent = 0;

  constructor(private readonly kill: () => Promise<void>) {}

  readonly before = async (): Promise<void> => {
    this.sent += 1;
    if (--this.countdown === 0) this.killed = this.kill();
    await this.killed;
  };

  arm(countdown: number): void {
    this.countdown = countdown;
    this.killed = undefined;
  }

  /** @returns whether Postgres was killed; it is running again */
  async disarm(): Promise<boolean> {
    this.countdown = Infinity;
    await this.killed;
    return this.killed !== undefined;
  }
}

interface Tried {
  /** From the first facade, the other one, and the first one again. */
  answers: [Answer, Answer, Answer];
  /** Undefined for a draft. */
  item: WorkItem | undefined;
}

/** A write that a crash interrupts between two statements is applied once, and every retry gets the same answer. */
export const postgresKilled: Outage = async (scene) => {
  const { stack, api, database, tenants, isShort, cleanup } = scene;
  const kills = isShort ? KILLS / 50 : KILLS;
  const [tenant] = await tenants(8 * kills + 400);
  const killer = new Killer(async () => {
    await stack.postgres.kill('SIGQUIT');
    // Without this its supervisor would delay the restart, longer each time.
    await stack.postgres.stop();
    await stack.postgres.start();
  });
  await FaultyPostgres.putBefore(stack, BUSY, { before: killer.before }, cleanup);
  const { url } = cleanup.use(await stack.another('rest-facade'));
  const other = cleanup.use(new ApiClient([url]));
  const title = `Drafted ${randomUUID()}`;
  const key = (n: number): string => tenant!.admins[n % tenant!.admins.length]!.secret;
  const tried: Tried[] = [];
  let statements = 12;
  let struck = 0;
  for (let n = 0; struck < kills; n++) {
    const item = n % 2 === 0 ? tenant!.work.pop() : undefined;
    const request = item ? approvalOf(item) : draftOf({ title: `${title} ${n}` });
    const sent = killer.sent;
    killer.arm(1 + Math.floor(Math.random() * statements));
    const begun = await api.send(key(n), request);
    if (await killer.disarm()) struck += 1;
    else statements = Math.max(4, killer.sent - sent);
    const again = await insist(() => other.send(key(n), request));
    const last = await insist(() => api.send(key(n), request));
    tried.push({ answers: [begun, again, last], item });
    if (n % 20 === 0) progress(`  ${struck} kills`);
  }
  return [await judge(scene, tried, struck, title, await waitForPayments(database, approvedIn(tried), GIVEN_MS))];
};

/** Like an integrator: repeats the request with the same key while the answer may change. */
async function insist(send: () => Promise<Answer>): Promise<Answer> {
  let answer: Answer;
  const isFinal = async (): Promise<boolean> => {
    answer = await send();
    return answer.status !== 0 && answer.status < 500 && answer.status !== 409 && answer.status !== 429;
  };
  await until(isFinal, { withinMs: GIVEN_MS });
  return answer!;
}

const approvedIn = (tried: readonly Tried[]): WorkItem[] => tried.flatMap(({ item }) => item ?? []);

async function judge(
  { database }: Scene,
  tried: readonly Tried[],
  struck: number,
  title: string,
  { without, doubled }: { without: number; doubled: number },
): Promise<Verdict> {
  const isOk = ({ status }: Answer): boolean => status === 200 || status === 201;
  const refused = tried.filter(({ answers }) => !answers.slice(1).every(isOk)).length;
  const differing = tried.filter(
    ({ answers }) => new Set(answers.filter(isOk).map(({ text }) => text)).size > 1,
  ).length;
  const drafts = tried.filter(({ item }) => item === undefined).length;
  const { rows } = await database.query<{ count: number }>(
    'select count(*)::int from contracts.contract where starts_with(title, $1)',
    [title],
  );
  const made = rows[0]!.count;
  return {
    line:
      `${struck} kills in ${tried.length} writes: ${refused} not answered on the other facade, ${differing} answered differently; ` +
      `${approvedIn(tried).length} approvals, ${without} without a payment, ${doubled} with two; ${drafts} drafts, ${made} contracts`,
    isSafe: refused === 0 && differing === 0 && without === 0 && doubled === 0 && made === drafts,
  };
}

const WATCHED_MS = 20_000;
const EVERY_MS = 400;

/** Writes of the workspace whose change clock is locked fail in time; other workspaces are not affected. */
export const silentBackend: Outage = async ({ stack, api, database, tenants, cleanup }) => {
  const [held, other] = await tenants(400);
  let isNext = false;
  let statements = 0;
  // The first statement of its second write never arrives.
  const before = async (): Promise<void> => {
    if (isNext && ++statements > FIRST_WRITE) {
      isNext = false;
      await new Promise(() => undefined);
    }
  };
  await FaultyPostgres.putBefore(stack, ['review'], { before }, cleanup);
  const acknowledged: WorkItem[] = [];
  const approveAll = (tenant: Tenant): Promise<Answer[]> => approveFor(api, tenant, acknowledged);
  // Admission knows their keys from now on.
  for (const { admins } of [held!, other!]) await api.send(admins[0]!.secret, { method: 'GET', path: '/business' });
  const theirs = approveAll(held!);
  isNext = true;
  await pause(EVERY_MS / 2);
  const others = approveAll(other!);
  const line = `its workspace: ${told(await theirs)}; another: ${told(await others)}`;
  const { without, doubled } = await waitForPayments(database, acknowledged, WATCHED_MS);
  return [{ line, isSafe: without === 0 && doubled === 0 }];
};

/** BEGIN, change clock, earlier outcome, the row to decide on. */
const FIRST_WRITE = 4;

/** Approves the workspace's work one item after another, within the limits of its keys. */
async function approveFor(api: ApiClient, { work, admins }: Tenant, acknowledged: WorkItem[]): Promise<Answer[]> {
  const answers: Promise<Answer>[] = [];
  const end = performance.now() + WATCHED_MS;
  for (let n = 0; performance.now() < end; n++) {
    const item = work.pop()!;
    const approving = api.send(admins[n % admins.length]!.secret, approvalOf(item));
    answers.push(approving.then((answer) => (answer.status === 200 && acknowledged.push(item), answer)));
    await pause(EVERY_MS);
  }
  return await Promise.all(answers);
}

function told(answers: readonly Answer[]): string {
  const failed = answers.filter(({ status }) => status !== 200).length;
  return `${answers.length} approvals, ${failed} failed, slowest ${seconds(Math.max(...answers.map(({ ms }) => ms)))}`;
}
