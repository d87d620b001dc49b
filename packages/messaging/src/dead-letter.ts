import type { EntityManager } from '@mikro-orm/postgresql';
import { isId, newId } from '@payroll/kernel';
import { sql } from 'kysely';
import type { Arrived } from './arrived.js';

const NO_WORKSPACE = '00000000-0000-0000-0000-000000000000';

/** Keeps an event that cannot be applied, whole, for a person to look at. */
export async function bury(em: EntityManager, arrived: Arrived, reason: string): Promise<void> {
  const { id, workspaceId, type, content } = arrived;
  await sql`
    insert into dead_letter (event_id, workspace_id, type, event, reason, buried_at)
    values (${id ?? newId()}, ${isId(workspaceId) ? workspaceId : NO_WORKSPACE}, ${type},
      ${JSON.stringify(content)}::jsonb, ${reason}, clock_timestamp())
    on conflict (event_id) do nothing`.execute(em.getKysely());
}
