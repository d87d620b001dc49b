import type { EntityManager } from '@mikro-orm/postgresql';
import { sql, type QueryResult, type RawBuilder } from 'kysely';

/** Few enough that nobody waits long for a row. */
const BATCH = 1_000;

/**
 * Runs a statement that lets go of at most so many rows, until none are left. Any number of processes may do so at the
 * same time: a statement leaves the rows that somebody else holds to them (`SKIPPING`), or waits and finds them gone.
 */
export async function inBatches(run: (limit: RawBuilder<unknown>) => Promise<QueryResult<unknown>>): Promise<number> {
  let all = 0;
  for (let changed = BATCH; changed === BATCH;) {
    const { numAffectedRows = 0n } = await run(sql`limit ${sql.lit(BATCH)}`);
    changed = Number(numAffectedRows);
    all += changed;
  }
  return all;
}

/** Locking needs the right to update, which a service has not on everything that it may delete from. */
export const SKIPPING = sql`for update skip locked`;

/** Results of operations whose retry can no longer ask for them (public-api.md §8); their ids stay for ever. */
export async function forgetOutcomes(em: EntityManager, days: number): Promise<number> {
  return await inBatches((limit) =>
    sql`
      update applied_operation set outcome = null where (workspace_id, principal_id, operation_id) in (
        select workspace_id, principal_id, operation_id from applied_operation
        where outcome is not null and applied_at < now() - make_interval(days => ${days}) ${limit} ${SKIPPING})
    `.execute(em.getKysely()),
  );
}
