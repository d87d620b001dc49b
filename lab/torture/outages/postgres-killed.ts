import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { ProcessName } from '@payroll/infra/processes';
import { progress } from '@payroll/tools/cli';
import { FaultyPostgres } from '../stage/faulty-postgres.js';
import { type Answer, approvalOf, call, write } from '../stage/v1.js';
import type { Piece } from '../stage/work.js';
import type { Outage, Scene, Verdict } from './outage.js';
import { waitForPayments } from '../stage/payments.js';

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
  piece: Piece | undefined;
}

/** A write that a crash interrupts between two statements is applied once, and every retry gets the same answer. */
export const postgresKilled: Outage = async (scene) => {
  const { stack, database, tenants, isShort } = scene;
  const kills = isShort ? KILLS / 50 : KILLS;
  const [tenant] = await tenants(8 * kills + 400);
  const killer = new Killer(async () => {
    await stack.postgres.kill('SIGQUIT');
    // Without this its supervisor would delay the restart, longer each time.
    await stack.postgres.stop();
    await stack.postgres.start();
  });
  const [first, other] = await twoFacades(scene, killer);
  const title = `Drafted ${randomUUID()}`;
  const key = (n: number): string => tenant!.admins[n % tenant!.admins.length]!.secret;
  const tried: Tried[] = [];
  let statements = 12;
  let struck = 0;
  for (let n = 0; struck < kills; n++) {
    const piece = n % 2 === 0 ? tenant!.work.pop() : undefined;
    const [path, request] = piece ? approvalOf(piece) : (['/contracts', write({ title: `${title} ${n}` })] as const);
    const sent = killer.sent;
    killer.arm(1 + Math.floor(Math.random() * statements));
    const begun = await call(first + path, key(n), request);
    if (await killer.disarm()) struck += 1;
    else statements = Math.max(4, killer.sent - sent);
    const again = await insist(() => call(other + path, key(n), request));
    const last = await insist(() => call(first + path, key(n), request));
    tried.push({ answers: [begun, again, last], piece });
    if (n % 20 === 0) progress(`  ${struck} kills`);
  }
  return [await judge(scene, tried, struck, title, await waitForPayments(database, approvedIn(tried), GIVEN_MS))];
};

async function twoFacades({ stack, cleanup }: Scene, killer: Killer): Promise<[string, string]> {
  for (const name of BUSY) {
    const url = stack.environmentOf(name)['DATABASE_URL']!;
    const way = cleanup.use(await FaultyPostgres.to({ port: Number(new URL(url).port), before: killer.before }));
    await stack.stop(name);
    await stack.start(name, { DATABASE_URL: way.through(url) });
    await stack.ready(name);
  }
  const other = cleanup.use(await stack.another('rest-facade'));
  return [stack.file.rest.url, `${other.url}/v1`];
}

/** Like an integrator: repeats the request with the same key while the answer may change. */
async function insist(send: () => Promise<Answer>): Promise<Answer> {
  const until = performance.now() + GIVEN_MS;
  for (;;) {
    const answer = await send();
    const isFinal = answer.status !== 0 && answer.status < 500 && answer.status !== 409 && answer.status !== 429;
    if (isFinal || performance.now() > until) return answer;
    await pause(200);
  }
}

const approvedIn = (tried: readonly Tried[]): Piece[] => tried.flatMap(({ piece }) => piece ?? []);

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
  const drafts = tried.filter(({ piece }) => piece === undefined).length;
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
