import type { Instant } from '@payroll/kernel';
import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { HeardEvent } from './event.js';
import { HISTORY } from './history.js';

/** `elsewhere`: the event was held in another history of the database than this transaction is in. */
export type Entry = 'first' | 'again' | 'elsewhere';

/** Notes that the event is being applied in this transaction, unless it was applied before or is of another history. */
export async function enterInbox(em: EntityManager, event: HeardEvent, now: Instant): Promise<Entry> {
  const { rows } = await sql<{ isHere: boolean; isFirst: boolean }>`
    with history as (select ${HISTORY} = ${event.history} as "isHere"),
    entered as (
      insert into inbox_event (event_id, workspace_id, type, applied_at)
      select ${event.id}::uuid, ${event.workspaceId}::uuid, ${event.type}, ${now}::timestamptz from history where "isHere"
      on conflict do nothing returning event_id
    )
    select "isHere", exists (select from entered) as "isFirst" from history`.execute(em.getKysely());
  const { isHere, isFirst } = rows[0]!;
  if (!isHere) return 'elsewhere';
  return isFirst ? 'first' : 'again';
}
