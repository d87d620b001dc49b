import { randomUUID } from 'node:crypto';
import { runWorkspacesCommand } from '@payroll/tools/demo/operator';
import { sendGraphql } from '@payroll/tools/demo/graphql-client';
import type { Stage } from '../stage/stage.js';
import type { Arena } from './arena.js';
import type { Blow } from './nemesis.js';

const ORDER = ['create-token', '--team', 'operations', '--owner', 'olga@payroll.example'];
/** The graph accepts ten mutations per request. */
const AT_ONCE = 10;

/**
 * Postgres refuses the rows that payments has to write, so that events become dead letters, until the cause is fixed
 * and they are retried.
 */
export function blowsByDeadLetters(arena: Arena): Blow[] {
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
  return [{ kind: 'dead letters put back', weight: 0.5, aim: () => aim }];
}

/**
 * As a person of operations, through the graph. Retries that fail during other faults are repeated after the healing.
 */
export async function putBackAll({ stack, database, ways }: Stage): Promise<void> {
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
