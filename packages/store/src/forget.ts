import type { EntityManager } from '@mikro-orm/postgresql';
import { sql, type RawBuilder } from 'kysely';

/** Few enough that nobody waits long for a row. */
const BATCH = 1_000;

/**
 * Runs a statement that lets go of at most so many rows, until none are left. Rows that somebody else holds are left to
 * them (`for update skip locked`), so any number of processes may forget at the same time.
 */
export async function inBatches(
  em: EntityManager,
  statement: (limit: RawBuilder<unknown>) => RawBuilder<unknown>,
): Promise<number> {
  let all = 0;
  for (let changed = BATCH; changed === BATCH;) {
    const { numAffectedRows = 0n } = await statement(sql`limit ${sql.lit(BATCH)} for update skip locked`).execute(
      em.getKysely(),
    );
    changed = Number(numAffectedRows);
    all += changed;
  }
  return all;
}

/** Results of operations whose retry can no longer ask for them (public-api.md §8); their ids stay for ever. */
export async function forgetOutcomes(em: EntityManager, days: number): Promise<number> {
  return await inBatches(
    em,
    (limit) => sql`
      update applied_operation set outcome = null where (workspace_id, principal_id, operation_id) in (
        select workspace_id, principal_id, operation_id from applied_operation
        where outcome is not null and applied_at < now() - make_interval(days => ${days}) ${limit})`,
  );
}
