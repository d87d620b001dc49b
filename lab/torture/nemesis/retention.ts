import { oneOf, type Arena } from './arena.js';
import type { Blow } from './nemesis.js';
import { replace } from '../stage/victims.js';

/** Results are kept for 7 days, confirmed events for 30 (docs/operations.md). */
const SERVICES = ['workspaces', 'contracts', 'review', 'payments'] as const;

/**
 * Months go by: what is decided and confirmed becomes so old that it is just let go of, or just not yet. Services let go when
 * they start.
 */
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

/** A second this side of the boundary or the other. Rules that keep rows from being changed are not for who moves time. */
function aged(table: string, column: string, age: string, sign: string, which: string): string {
  return `begin; set local session_replication_role = replica;
    update ${table} set ${column} = now() - interval '${age}' ${sign} interval '1 s' where ${which}; commit`;
}
