import { cp } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { repositoryRoot } from '@payroll/infra/processes';
import { fetchDocument } from '@payroll/tests/support/document';
import { ordersOf } from '@payroll/tests/support/provider-orders';
import { seeded } from '@payroll/tests/support/random';
import { progress } from '@payroll/tools/cli';
import { ApiClient } from '../v1.js';
import { drained } from './checker/liveness.js';
import { lostIn, operationsOf, type Finding, violations } from './checker/operations.js';
import { allowsSecondPayment, disorderIn, readRecords } from './checker/records.js';
import { lostApprovals, RULES } from './checker/rules.js';
import { approveByGraph, changeRoleRepeatedly, endUnclaimedOrders } from './clients/application.js';
import { Clients } from './clients/clients.js';
import { assist, draft, review } from './clients/integrators.js';
import { bypassEdges, intrude } from './clients/intruders.js';
import { audit, Follower, LISTS, watchBalances } from './clients/readers.js';
import { allFaults, healAll } from './faults/faults.js';
import { contextOf, type FaultContext, Nemesis } from './faults/nemesis.js';
import { History, readHistory } from './history.js';
import { startSystem } from './system/system.js';

export interface Ran {
  seed: number;
  minutes: number;
  approvals: number;
  tries: number;
  unknowns: number;
  /** Retries of applied operations that were answered by a replay. */
  suppressed: number;
  /** Acknowledged approvals lost by a switch of databases. */
  lost: number;
  faults: Record<string, number>;
  drainSeconds: number;
  findings: Finding[];
  /** The history's file, relative to the root of the repository. */
  history: string;
}

/** More than the clients can decide on. */
const ITEMS_A_MINUTE = 5_000;

/** One seed: starts the system, injects faults, heals, checks. */
export async function run({ seed, minutes, root }: { seed: number; minutes: number; root: string }): Promise<Ran> {
  await using cleanup = new AsyncDisposableStack();
  const random = seeded(seed);
  const system = await startSystem({ root, items: Math.ceil(minutes * ITEMS_A_MINUTE), random }, cleanup);
  const history = new History(join(repositoryRoot, '.local', 'torture', `seed-${seed}.jsonl`));
  const urls = system.proxies.facades.map(({ port }) => `http://127.0.0.1:${port}`);
  const api = cleanup.use(new ApiClient(urls, await fetchDocument(system.stack.file.rest.url)));
  // A separate generator: how often clients draw a number depends on timing, and would change the order of the faults.
  const clients = new Clients(system, history, api, seeded(seed + 1_000_000));
  const context = contextOf(system, clients, random);
  const nemesis = new Nemesis(clients, allFaults(context), random);

  progress(`Seed ${seed}: torturing for ${minutes} min`);
  const working = startClients(clients);
  // In any case: clients that never stop would keep the run from ending.
  await nemesis.injectUntil(performance.now() + minutes * 60_000).finally(() => (clients.isOver = true));
  progress('Healing');
  await healAll(context);
  const { tookMs, findings } = await drained(clients);
  await working.finish();
  await history[Symbol.asyncDispose]();
  await cp(join(system.stack.dir, 'logs'), history.file.replace(/\.jsonl$/, '-logs'), { recursive: true });
  const checked = await check(context, history.file);
  const { approvals, tries, unknowns, suppressed } = clients.tally;
  return {
    ...{ seed, minutes, approvals, tries, unknowns, suppressed },
    lost: checked.lost,
    faults: Object.fromEntries(nemesis.injected),
    drainSeconds: Math.round(tookMs / 100) / 10,
    findings: [...checked.findings, ...findings],
    history: relative(repositoryRoot, history.file),
  };
}

const PROGRESS_EVERY_MS = 15_000;

/** `finish` waits for the intents in progress, and lets followers compare what they know with the lists. */
function startClients(clients: Clients) {
  const { tenants } = clients.system;
  const followers = tenants.flatMap((tenant) => LISTS.map((list) => new Follower(clients, tenant, list)));
  const working = tenants.flatMap((tenant, n) => [
    ...tenant.admins.map((admin) => review(clients, tenant, admin)),
    ...(tenant.assistant === undefined ? [] : [assist(clients, tenant, tenant.assistant)]),
    approveByGraph(clients, tenant),
    draft(clients, tenant),
    changeRoleRepeatedly(clients, tenant),
    intrude(clients, tenant, tenants[(n + 1) % tenants.length]!),
    bypassEdges(clients, tenant),
    watchBalances(clients, tenant),
    endUnclaimedOrders(clients, tenant),
  ]);
  const all = Promise.all([...working, ...followers.map((each) => each.follow()), audit(clients)]);
  // Reported at the end; until then the other clients continue.
  all.catch(() => undefined);
  const timer = setInterval(() => {
    const { approvals, unknowns, suppressed } = clients.tally;
    progress(`  ${approvals} approvals, ${unknowns} unknown, ${suppressed} retries of what was done`);
  }, PROGRESS_EVERY_MS);
  return {
    finish: async (): Promise<void> => {
      clearInterval(timer);
      clients.isGone = true;
      await all;
      await clients.finished();
      await Promise.all(followers.map((each) => each.compare()));
    },
  };
}

async function check({ system, replaced }: FaultContext, file: string): Promise<{ findings: Finding[]; lost: number }> {
  const { database, stack } = system;
  const entries = await readHistory(file);
  const [present, disorder, orders, allowsSecond] = await Promise.all([
    readRecords(database),
    disorderIn(database),
    ordersOf(stack.file.provider),
    allowsSecondPayment(database),
  ]);
  const lost = lostIn(entries);
  const evidence = {
    entries,
    operations: operationsOf(entries),
    lost,
    present,
    replaced,
    disorder,
    orders,
    allowsSecond,
  };
  return { findings: violations(RULES, evidence), lost: lostApprovals(evidence).length };
}
