import { oneOf, type Arena } from './arena.js';
import type { Blow } from './nemesis.js';
import { replace } from '../stage/victims.js';

/** Results are kept for 7 days, confirmed events for 30 (docs/operations.md). */
const SERVICES = ['workspaces', 'contracts', 'review', 'payments'] as const;

/** Ages rows to just before or just after the end of their retention. Services delete expired rows when they start. */
export function blowsOfTime(arena: Arena): Blow[] {
  const { database, victims } = arena.stage;
  const strike = async (): Promise<void> => {
    const sign = oneOf(arena, ['-', '+']);
    const statements = [
      ...SERVICES.flatMap((schema) => [
        aged(`${schema}.applied_operation`, 'applied_at', '7 days', sign, 'outcome is not null'),
        aged(`${schema}.outbox_event`, 'recorded_at', '30 days', sign, 'true'),
      ]),
    ];
    await arena.withPostgres(() => database.rows(statements.join('; ')));
    await Promise.all(victims.filter(({ kind }) => SERVICES.some((each) => each === kind)).map(replace));
  };
  return [
    { kind: 'months gone by', weight: 0.5, aim: () => ({ about: 'everything', targets: ['*', 'histories'], strike }) },
  ];
}

/** A second before or after the boundary. Runs as a replica, because triggers would refuse to change these rows. */
function aged(table: string, column: string, age: string, sign: string, which: string): string {
  return `begin; set local session_replication_role = replica;
    update ${table} set ${column} = now() - interval '${age}' ${sign} interval '1 s' where ${which}; commit`;
}
