import { defineEntity, p, type EntitySchemaWithMeta } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { DomainError } from '@payroll/kernel';
import { as, asDomainError, columnOf, instant, read, sql, write, type Sql } from '@payroll/store';
import { metrics, onScrape } from '@payroll/telemetry';

/** Work that a runner could not do, with the reason: it is tried again later and later, and a person is told. */
export const SetAsideTable = defineEntity({
  name: 'SetAside',
  tableName: 'set_aside',
  properties: {
    runner: p.text().primary(),
    workspaceId: p.uuid().primary(),
    id: p.uuid().primary(),
    tries: p.integer(),
    reason: p.text().comment('What went wrong the last time.'),
    lookAt: instant().comment('When it is tried again. A row long past it is of work that was done since.'),
  },
});

export interface SetAside {
  runner: string;
  workspaceId: string;
  id: string;
}

/** Doubles from 1 s to 1 h. */
const pauseAfter = (tries: Sql) => sql`least(interval '1 s' * power(2, least(${tries}, 12)), interval '1 h')`;

/** An outage is nobody's fault: the work stays due, and is done as soon as the outage is over. */
export async function setAside(
  em: EntityManager,
  { runner, workspaceId, id }: SetAside,
  error: unknown,
): Promise<void> {
  const known = asDomainError(error);
  if (known instanceof DomainError && known.code === 'SERVICE_UNAVAILABLE') return;
  const reason = (error instanceof Error ? `${error.name}: ${error.message}` : String(error)).slice(0, 500);
  await write(
    em,
    sql`insert into set_aside (runner, workspace_id, id, tries, reason, look_at)
      values (${runner}, ${workspaceId}, ${id}, 1, ${reason}, clock_timestamp() + ${pauseAfter(sql`0`)})
      on conflict (runner, workspace_id, id) do update set tries = set_aside.tries + 1, reason = excluded.reason,
        look_at = clock_timestamp() + ${pauseAfter(sql`set_aside.tries`)}`,
  );
}

/** Holds for rows of a table, with `workspace_id` and `id`, that are not set aside at the moment. */
export function notSetAside(runner: string, table: EntitySchemaWithMeta): Sql {
  return sql`not exists (
    select from set_aside where set_aside.runner = ${runner} and set_aside.look_at > clock_timestamp()
      and set_aside.workspace_id = ${columnOf(table, 'workspaceId')} and set_aside.id = ${columnOf(table, 'id')})`;
}

/** Has what is set aside counted at each scrape. The minute is for the next try to say that it failed again. */
export function observeSetAside(em: EntityManager, runner: string): Disposable {
  return onScrape({
    name: 'set-aside',
    read: async () => {
      const [row] = await read(
        em,
        sql`select ${as('count', 'int', sql`count(*)`)} from set_aside
          where runner = ${runner} and look_at > clock_timestamp() - interval '1 minute'`,
      );
      metrics.setAside.set({ runner }, row?.count ?? 0);
    },
    sets: [metrics.setAside],
  });
}
