import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { flag, options, progress, runCommand, someOf } from '@payroll/tools/cli';
import { seedPeople } from '@payroll/tools/demo/seed';
import type { Stack } from '@payroll/tools/local/assemble-stack';
import { startStack } from '@payroll/tools/local/stack';
import { goApart, isApart, requireHost } from '../namespaces/host.js';
import { Approvals } from '../namespaces/load.js';
import { type Answers, compare } from '../namespaces/verdict.js';
import { prepareWorkspaces } from '../torture/system/workspaces.js';
import { until } from '../until.js';
import { freshStackDir, install, versions } from './machine.js';
import { ADMIN_URL, type Rig, setUpRig } from './rig.js';
import { type Cast, type Scene, SCENES } from './scenes.js';
import { backAfter, brokenIn, describeFailover, type Played, summaryOf, tableOf } from './verdict.js';

interface Failover extends Answers {
  rig: Rig;
  stack: Stack;
}

const STEADY_MS = 5_000;
/** Longer than any promise; then the failover is reported without writes. */
const GIVES_UP_MS = 120_000;
/** An approval waits for its consumers' replies after the commit. */
const ANSWERS_WITHIN_MS = 2_000;

/** One failover under load: strikes, waits until writes are back, repairs, and compares the clients' answers with the database. */
async function play(scene: Scene, failover: Failover): Promise<Played> {
  const { rig, stack, approvals } = failover;
  approvals.resume();
  await steadyFrom(approvals, performance.now());
  const known = approvals.improper.length;
  const cast: Cast = { rig, ...(await rig.roles()), endOfCommit: (withinMs) => endOfCommit(stack, withinMs) };

  let from = performance.now();
  await scene.strike(cast);
  const silentFrom = performance.now() + ANSWERS_WITHIN_MS;
  const findings = (await scene.silence?.(cast)) ?? [];
  const acknowledgedIn = (start: number, end: number): number =>
    approvals.acknowledged.filter(({ at }) => at > start && at < end).length;
  const unreplicated = scene.silence ? acknowledgedIn(silentFrom, performance.now()) : 0;
  if (scene.end !== undefined) {
    from = performance.now();
    await scene.end(cast);
  }
  const steadyAt = await steadyFrom(approvals, from + (scene.watchMs ?? 0));
  const times = approvals.acknowledged.map(({ at }) => at);
  const backMs = backAfter(times, from, steadyAt);
  if (scene.movesPrimary && (await rig.roles()).primary === cast.primary)
    findings.push('the primary is the same server');
  await scene.repair?.(cast);
  await rig.whole();
  await approvals.pause();
  findings.push(...approvals.improper.slice(known));
  return { scene, backMs, unreplicated, ...(await compare(failover, findings)) };
}

/** Resolves when approvals have been acknowledged without an interruption for a while, at the earliest then after `start`. */
async function steadyFrom({ acknowledged }: Approvals, start: number): Promise<number> {
  const isSteady = (): boolean => {
    const now = performance.now();
    const times = acknowledged.map(({ at }) => at);
    return now - start > STEADY_MS && backAfter(times, now - STEADY_MS, now) === 0;
  };
  await until(isSteady, { withinMs: Math.max(0, start - performance.now()) + GIVES_UP_MS });
  return performance.now();
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

const USAGE = `Usage: npm run failover [-- options]

Three servers of Postgres under Patroni, with etcd and HAProxy, each in a network namespace of its own; the system's processes
on top of them; approvals at /v1, twenty a second. Breaks the cluster in each way below, ten times each, and compares after each what
clients were told with what is there. Needs Linux, root and Debian; what it installs is kept below .local. Takes about 90 minutes.

${SCENES.map(({ title }) => `  ${title}\n`).join('')}
Exit code 1 if an acknowledged approval is lost or paid twice, reconcile finds something, an answer is outside the contract, or
writes are not back in time.

  --scene <name>   this alone (may be repeated)
  --short          each once
  --asynchronous   with a Postgres that does not wait for standbys: exit code 1 if no loss is found
  --help           this text

Ctrl-C ends it with the figures so far.
`;

const read = options({ scene: someOf(SCENES.map(({ title }) => title)), short: flag, asynchronous: flag });

/** More than the clients can approve during one failover. */
const ITEMS_EACH = 1_000;

async function main({ scene: titles, short, asynchronous: isAsynchronous }: ReturnType<typeof read>): Promise<void> {
  if (!isApart()) {
    requireHost();
    install();
    return goApart(fileURLToPath(import.meta.url));
  }
  progress(`Starting Postgres, Patroni, etcd and HAProxy: ${versions()}`);
  const rig = await setUpRig({ isAsynchronous });
  await using cleanup = new AsyncDisposableStack();
  const stack = cleanup.use(
    await startStack({
      dir: freshStackDir(),
      ports: 'free',
      durable: true,
      seed: seedPeople,
      onProgress: progress,
      databaseUrl: ADMIN_URL,
    }),
  );
  const scenes = SCENES.filter(({ title }) => titles.includes(title));
  const times = short ? 1 : 10;
  const databaseUrl = Object.assign(new URL(ADMIN_URL), { pathname: '/payroll' }).href;
  const tenants = await prepareWorkspaces(stack, databaseUrl, ITEMS_EACH * times * scenes.length);
  const { rest, provider } = stack.file;
  const approvals = await Approvals.at(rest.url, tenants);
  const failover = { rig, stack, approvals, databaseUrl, provider, reported: new Set<string>() };

  const all: Played[] = [];
  const report = (): void => {
    console.log(tableOf(all));
    console.log(summaryOf(all, approvals.acknowledged.length, approvals.failedAt.length));
    const isBroken = isAsynchronous
      ? all.every(({ lost }) => lost === 0)
      : all.some((each) => brokenIn(each).length > 0);
    process.exitCode = isBroken ? 1 : 0;
  };
  process.on('SIGINT', () => {
    report();
    process.exit(130);
  });
  for (let round = 1; round <= times; round++) {
    for (const scene of scenes) {
      const played = await play(scene, failover);
      all.push(played);
      progress(`${describeFailover(played)} (${round} of ${times}; ${approvals.acknowledged.length} approvals)`);
    }
  }
  report();
}

await runCommand('failover', { usage: USAGE, read, run: main });
// The servers of the rig would keep it running.
process.exit();
