import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { serviceSchemas } from '@payroll/infra/postgres/roles';
import { SERVICES } from '@payroll/kernel';
import type { Passage } from '@payroll/tests/support/tcp-proxy';
import { sendGraphql } from '@payroll/tools/demo/graphql-client';
import { runWorkspacesCommand } from '@payroll/tools/demo/operator';
import { replace, signal, suspend } from '../system/instances.js';
import type { System } from '../system/system.js';
import { databaseFaults } from './databases.js';
import { type Fault, fault, type FaultContext } from './nemesis.js';

export function allFaults(context: FaultContext): Fault[] {
  return [
    ...processFaults(context),
    ...serverFaults(context),
    ...databaseFaults(context),
    ...networkFaults(context),
    ...providerFaults(context),
    deadLetters(context),
    expiredRows(context),
  ];
}

/** Each fault heals itself; this also heals what a later fault has masked. */
export async function healAll({ system }: FaultContext): Promise<void> {
  const { instances, proxies, stack } = system;
  for (const { pid, setClock, proxies: own } of instances) {
    signal(pid(), 'SIGCONT');
    setClock(0);
    for (const proxy of Object.values(own)) proxy.heal();
  }
  for (const proxy of [...proxies.facades, proxies.graph, proxies.mcp, proxies.provider]) proxy.heal();
  await stack.postgres.start();
  await stack.nats.start();
  await Promise.allSettled(instances.map((instance) => instance.ready()));
  await retryDeadLetters(system);
}

const SECOND = 1_000;
/** Longer than the leases of events and payouts, and than the lifetime of tokens. */
const PAST_EVERY_LEASE_MS = [31 * SECOND, 36 * SECOND] as const;
const SHIFTS_MS = [SECOND, 20 * SECOND, 90 * SECOND, 3_600 * SECOND, 86_400 * SECOND];

function processFaults({ system: { instances } }: FaultContext): Fault[] {
  const clock = (kind: string, sign: 1 | -1): Fault => {
    const shifts = instances.flatMap(({ name, setClock }) =>
      SHIFTS_MS.map((each) => {
        const offsetMs = sign * each;
        return { name: `${name} by ${offsetMs / SECOND} s`, locks: [`clock of ${name}`], setClock, offsetMs };
      }),
    );
    const shift = ({ setClock, offsetMs }: (typeof shifts)[number]) => {
      setClock(offsetMs);
      return () => setClock(0);
    };
    return fault(kind, 2, shifts, shift, [1_000, 8_000]);
  };
  return [
    fault('process killed', 4, instances, ({ kill }) => kill('SIGKILL')),
    fault('process replaced', 2, instances, replace),
    fault('process paused', 3, instances, (each) => suspend([each]), [300, 6_000]),
    fault('process paused past every lease', 0.7, instances, (each) => suspend([each]), PAST_EVERY_LEASE_MS),
    clock('clock ahead', 1),
    clock('clock behind', -1),
  ];
}

/** Postgres and NATS are killed, stay down, respond slowly or run out of disk. */
function serverFaults({ system: { stack, disk, database }, withPostgres }: FaultContext): Fault[] {
  const { postgres, nats } = stack;
  const [onPostgres, onNats] = [[{ name: 'Postgres' }], [{ name: 'NATS' }]];
  const roles = serviceSchemas.map((name) => ({ name, locks: ['database'] }));
  const full = { name: 'Postgres', locks: ['Postgres', 'database'] };
  return [
    fault('Postgres stopped at once', 2, onPostgres, () => withPostgres(() => postgres.kill('SIGQUIT'))),
    fault('Postgres restarted', 1, onPostgres, () => withPostgres(() => postgres.kill('SIGINT'))),
    fault('service shut out of Postgres', 2, roles, async ({ name }) => {
      await database.cutOff(name);
      return () => database.letIn(name);
    }),
    fault('NATS killed', 2, onNats, () => nats.kill('SIGKILL')),
    fault('NATS down', 1, onNats, async () => {
      await nats.stop();
      return () => nats.start();
    }),
    fault('NATS paused', 1, onNats, () => suspend([{ pid: () => nats.pid }])),
    ...(disk === null
      ? []
      : [
          fault('disk of Postgres full', 1, [full], () => {
            disk.fill(1);
            return async () => {
              disk.free();
              await postgres.kill('SIGINT');
            };
          }),
        ]),
  ];
}

/** Changes a proxy until it is healed. */
const onProxies =
  (targets: readonly { name: string; proxy: Passage }[]) =>
  (kind: string, weight: number, change: (proxy: Passage) => void): Fault => {
    const inject = ({ proxy }: { proxy: Passage }) => {
      change(proxy);
      return () => proxy.heal();
    };
    return fault(kind, weight, targets, inject, [500, 6_000]);
  };

/** Connections between processes and their servers, and between clients and the edges. */
function networkFaults({ system: { instances, proxies }, random }: FaultContext): Fault[] {
  const inside = instances.flatMap(({ name, proxies: own }) =>
    Object.entries(own).map(([to, proxy]) => ({ name: `${name} to ${to}`, proxy })),
  );
  const outside = [
    ...proxies.facades.map((proxy, n) => ({ name: `clients to facade ${n + 1}`, proxy })),
    { name: 'clients to graph', proxy: proxies.graph },
    { name: 'assistants to mcp', proxy: proxies.mcp },
  ];
  // Twice as often between clients and edges.
  const onOne = onProxies([...inside, ...outside, ...outside]);
  return [
    onOne('connections cut', 2, (proxy) => proxy.cut()),
    onOne('no connection', 1, (proxy) => proxy.cut(true)),
    onOne('connections slow', 2, (proxy) => (proxy.delayMs = 20 + random() * 700)),
    onOne('connections silent', 2, (proxy) => (proxy.isSilent = true)),
    onOne('answers lost after commit', 4, (proxy) => (proxy.answersToLose = 1 + Math.floor(random() * 6))),
  ];
}

/** The payout provider, as payments sees it. */
function providerFaults(context: FaultContext): Fault[] {
  const { proxies } = context.system;
  const onProvider = onProxies([{ name: 'payments to provider', proxy: proxies.provider }]);
  const target = { name: 'provider', locks: ['database'] };
  return [
    onProvider('provider down', 1, (proxy) => proxy.cut(true)),
    onProvider('provider slow', 1, (proxy) => (proxy.delayMs = 200 + context.random() * 3_000)),
    onProvider('provider silent', 1, (proxy) => (proxy.isSilent = true)),
    onProvider('provider times out after doing the work', 2, (proxy) => (proxy.answersToLose = 20)),
    fault('provider forgets orders', 2, [target], () => forgetOrders(context)),
  ];
}

/** Acknowledged and not paid yet. */
const ACKNOWLEDGED = `select idempotency_key as key, amount::text from payments.payout_attempt
  where status = 'submitted' and alarm is null`;
const MAX_FORGOTTEN = 5;
/** How long to wait for an order that can be forgotten. */
const WAITS_MS = 5_000;

async function forgetOrders({ system, clients, withPostgres }: FaultContext): Promise<void> {
  const { url, key: providerKey } = system.stack.file.provider;
  const givesUp = performance.now() + WAITS_MS;
  for (let gone: string[] = []; gone.length === 0 && performance.now() < givesUp; await pause(200)) {
    const orders = await withPostgres(() => system.database.rows<{ key: string; amount: string }>(ACKNOWLEDGED));
    const idempotencyKeys = orders.slice(0, MAX_FORGOTTEN).map(({ key }) => key);
    const response = await fetch(`${url}/control/forget`, {
      method: 'POST',
      headers: { authorization: `Bearer ${providerKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ idempotencyKeys }),
    });
    // Those that were in progress.
    ({ forgotten: gone } = (await response.json()) as { forgotten: string[] });
    for (const { key, amount } of orders) if (gone.includes(key)) clients.history.log({ type: 'forgotten', amount });
  }
}

/** Postgres refuses the rows of payments, so that events become dead letters, until the cause is fixed and they are retried. */
function deadLetters({ system, withPostgres }: FaultContext): Fault {
  const change = (how: string) => withPostgres(() => system.database.rows(`alter table payments.payment ${how}`));
  const target = { name: 'payments', locks: ['database'] };
  const inject = async () => {
    await change('add constraint torture check (gross < 0) not valid');
    return async () => {
      await change('drop constraint torture');
      await retryDeadLetters(system);
    };
  };
  return fault('dead letters put back', 0.5, [target], inject, [4_000, 6_000]);
}

const CREATE_TOKEN = ['create-token', '--team', 'operations', '--owner', 'olga@payroll.example'];
/** The graph accepts ten mutations per request. */
const AT_ONCE = 10;

/** As a person of operations, through the graph. Retries that fail during other faults are repeated after the healing. */
async function retryDeadLetters({ stack, database, proxies }: System): Promise<void> {
  const letters = await database.rows<{ id: string; workspace: string }>(
    `select event_id as id, workspace_id as workspace from payments.dead_letter where state = 'waiting'`,
  );
  if (letters.length === 0) return;
  const token = await runWorkspacesCommand(stack, CREATE_TOKEN).catch(() => null);
  if (token === null) return;
  const url = `http://127.0.0.1:${proxies.graph.port}/graphql`;
  for (const [workspaceId, its] of Map.groupBy(letters, ({ workspace }) => workspace)) {
    for (let n = 0; n < its.length; n += AT_ONCE) {
      const fields = its
        .slice(n, n + AT_ONCE)
        .map(({ id }, at) => `l${at}: paymentsPutBackDeadLetter(id: "${id}", operationId: "${randomUUID()}") { id }`);
      await sendGraphql({ url, token, workspaceId }, `mutation { ${fields.join('\n')} }`).catch(() => null);
    }
  }
}

/**
 * Ages rows to just before or just after the end of their retention: 7 days for results, 30 for confirmed events
 * (docs/operations.md). Services delete expired rows when they start.
 */
function expiredRows({ system: { database, instances }, random, withPostgres }: FaultContext): Fault {
  const inject = async (): Promise<void> => {
    const sign = random() < 0.5 ? '-' : '+';
    const statements = SERVICES.flatMap((schema) => [
      aged(`${schema}.applied_operation`, 'applied_at', '7 days', sign, 'outcome is not null'),
      aged(`${schema}.outbox_event`, 'recorded_at', '30 days', sign, 'true'),
    ]);
    await withPostgres(() => database.rows(statements.join('; ')));
    await Promise.all(instances.filter(({ kind }) => SERVICES.some((each) => each === kind)).map(replace));
  };
  return fault('months gone by', 0.5, [{ name: 'everything', locks: ['*', 'database'] }], inject);
}

/** A second before or after the boundary. Runs as a replica, because triggers would refuse to change these rows. */
function aged(table: string, column: string, age: string, sign: string, which: string): string {
  return `begin; set local session_replication_role = replica;
    update ${table} set ${column} = now() - interval '${age}' ${sign} interval '1 s' where ${which}; commit`;
}
