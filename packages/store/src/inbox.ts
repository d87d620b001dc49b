import type { Instant } from '@payroll/kernel';
import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { DomainEvent } from './event.js';

/** Notes that the event is being applied in this transaction; false when it was applied before. */
export async function enterInbox(em: EntityManager, event: DomainEvent, now: Instant): Promise<boolean> {
  const entered = await sql`
    insert into inbox_event (event_id, workspace_id, type, applied_at)
    values (${event.id}, ${event.workspaceId}, ${event.type}, ${now})
    on conflict do nothing`.execute(em.getKysely());
  return entered.numAffectedRows === 1n;
}
