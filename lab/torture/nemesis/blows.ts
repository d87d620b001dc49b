import { randomUUID } from 'node:crypto';
import { SERVICES } from '@payroll/kernel';
import { sendGraphql } from '@payroll/tools/demo/graphql-client';
import { runWorkspacesCommand } from '@payroll/tools/demo/operator';
import type { Stage } from '../system/system.js';
import { replace, signal } from '../system/instances.js';
import { type Arena, oneOf } from './arena.js';
import { blowsToBackends } from './backends.js';
import { blowsToHistories } from './histories.js';
import type { Blow } from './nemesis.js';
import { blowsToProcesses } from './processes.js';
import { blowsByProvider, blowsToWays } from './ways.js';

export function allBlows(arena: Arena): Blow[] {
  return [
    ...blowsToProcesses(arena),
    ...blowsToBackends(arena),
    ...blowsToHistories(arena),
    ...blowsToWays(arena),
    ...blowsByProvider(arena),
    deadLetters(arena),
    monthsGoneBy(arena),
  ];
}

/** Each fault heals itself; this also heals what a later fault has masked. */
export async function healAll({ stage }: Arena): Promise<void> {
  const { victims, ways, stack } = stage;
  for (const { pid, setClock, ways: own } of victims) {
    signal(pid(), 'SIGCONT');
    setClock(0);
    for (const way of Object.values(own)) way.heal();
  }
  for (const way of [...ways.facades, ways.graph, ways.mcp, ways.provider]) way.heal();
  await stack.postgres.start();
  await stack.nats.start();
  await Promise.allSettled(victims.map((victim) => victim.ready()));
  await putBackAll(stage);
}

const ORDER = ['create-token', '--team', 'operations', '--owner', 'olga@payroll.example'];
/** The graph accepts ten mutations per request. */
const AT_ONCE = 10;

/**
 * Postgres refuses the rows that payments has to write, so that events become dead letters, until the cause is fixed
 * and they are retried.
 */
function deadLetters(arena: Arena): Blow {
  const { database } = arena.stage;
  const change = (how: string) => arena.withPostgres(() => database.rows(`alter table payments.payment ${how}`));
  const strike = async () => {
    await change('add constraint torture check (gross < 0) not valid');
    return async () => {
      await change('drop constraint torture');
      await putBackAll(arena.stage);
    };
  };
  const aim = { about: 'payments', targets: ['histories'], strike, holdMs: [4_000, 6_000] as const };
  return { kind: 'dead letters put back', weight: 0.5, aim: () => aim };
}

/**
 * As a person of operations, through the graph. Retries that fail during other faults are repeated after the healing.
 */
async function putBackAll({ stack, database, ways }: Stage): Promise<void> {
  const letters = await database.rows<{ id: string; workspace: string }>(
    `select event_id as id, workspace_id as workspace from payments.dead_letter where state = 'waiting'`,
  );
  if (letters.length === 0) return;
  const token = await runWorkspacesCommand(stack, ORDER).catch(() => null);
  if (token === null) return;
  const url = `http://127.0.0.1:${ways.graph.port}/graphql`;
  for (const [workspaceId, its] of Map.groupBy(letters, ({ workspace }) => workspace)) {
    for (let n = 0; n < its.length; n += AT_ONCE) {
      const fields = its
        .slice(n, n + AT_ONCE)
        .map(
          ({ id }, place) => `l${place}: paymentsPutBackDeadLetter(id: "${id}", operationId: "${randomUUID()}") { id }`,
        );
      await sendGraphql({ url, token, workspaceId }, `mutation { ${fields.join('\n')} }`).catch(() => null);
    }
  }
}

/**
 * Ages rows to just before or just after the end of their retention: 7 days for results, 30 for confirmed events
 * (docs/operations.md). Services delete expired rows when they start.
 */
function monthsGoneBy(arena: Arena): Blow {
  const { database, victims } = arena.stage;
  const strike = async (): Promise<void> => {
    const sign = oneOf(arena, ['-', '+']);
    const statements = SERVICES.flatMap((schema) => [
      aged(`${schema}.applied_operation`, 'applied_at', '7 days', sign, 'outcome is not null'),
      aged(`${schema}.outbox_event`, 'recorded_at', '30 days', sign, 'true'),
    ]);
    await arena.withPostgres(() => database.rows(statements.join('; ')));
    await Promise.all(victims.filter(({ kind }) => SERVICES.some((each) => each === kind)).map(replace));
  };
  const aim = { about: 'everything', targets: ['*', 'histories'], strike };
  return { kind: 'months gone by', weight: 0.5, aim: () => aim };
}

/** A second before or after the boundary. Runs as a replica, because triggers would refuse to change these rows. */
function aged(table: string, column: string, age: string, sign: string, which: string): string {
  return `begin; set local session_replication_role = replica;
    update ${table} set ${column} = now() - interval '${age}' ${sign} interval '1 s' where ${which}; commit`;
}
