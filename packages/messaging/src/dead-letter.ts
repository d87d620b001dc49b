import type { EntityManager } from '@mikro-orm/postgresql';
import { isId, newId } from '@payroll/kernel';
import { HISTORY } from '@payroll/store';
import { sql } from 'kysely';
import type { Arrived } from './arrived.js';

const NO_WORKSPACE = '00000000-0000-0000-0000-000000000000';

/**
 * Keeps an event that cannot be applied, whole, for a person to look at. False when it is of another history than this
 * database: then it is nobody's here.
 */
export async function bury(em: EntityManager, arrived: Arrived, reason: string): Promise<boolean> {
  const { id, workspaceId, type, content, history } = arrived;
  const { rows } = await sql<{ isHere: boolean }>`
    with history as (select ${HISTORY} = ${history} as "isHere"),
    buried as (
      insert into dead_letter (event_id, workspace_id, type, event, reason, buried_at)
      select ${id ?? newId()}::uuid, ${isId(workspaceId) ? workspaceId : NO_WORKSPACE}::uuid, ${type},
        ${JSON.stringify(content)}::jsonb, ${reason}, clock_timestamp() from history where "isHere"
      on conflict (event_id) do nothing)
    select coalesce("isHere", false) as "isHere" from history`.execute(em.getKysely());
  return rows[0]!.isHere;
}
