import type { EntityManager } from '@mikro-orm/postgresql';
import { isId, isInstant, newId } from '@payroll/kernel';
import { as, HISTORY, read, sql } from '@payroll/store';
import type { JsMsg } from 'nats';

/** The header with the history of the database in which the event was due (ADR 0020). */
export const HISTORY_HEADER = 'Payroll-History';
export const TRACEPARENT = 'traceparent';

const NO_WORKSPACE = '00000000-0000-0000-0000-000000000000';

export type Arrived = ReturnType<typeof readArrived>;

/** What is known of a message before it is known to be an event. */
export function readArrived(message: JsMsg) {
  const content = readContent(message);
  const isRecord = content !== null && typeof content === 'object';
  const { id, type, workspaceId, requestId, occurredAt, aboutId } = (isRecord ? content : {}) as Record<
    string,
    unknown
  >;
  return {
    /** Null without an id that could be confirmed. */
    id: isId(id) ? id : null,
    type: typeof type === 'string' ? type : 'unknown',
    workspaceId: typeof workspaceId === 'string' ? workspaceId : '',
    requestId: typeof requestId === 'string' ? requestId : '',
    occurredAt: isInstant(occurredAt) ? occurredAt : null,
    /** Null when the publisher sent none, as older versions do. */
    history: message.headers?.get(HISTORY_HEADER) || null,
    aboutId: isId(aboutId) ? aboutId : undefined,
    traceparent: message.headers?.get(TRACEPARENT),
    /** Its JSON, or its text where it is not JSON. */
    content,
  };
}

function readContent(message: JsMsg): unknown {
  try {
    return message.json();
  } catch {
    // Postgres text has no zero characters.
    return message.string().replaceAll('\0', '');
  }
}

/** Keeps an event for a person to look at. False, and not kept, when its history is not the one of this database. */
export async function bury(em: EntityManager, arrived: Arrived, reason: string): Promise<boolean> {
  const { id, workspaceId, type, content, history } = arrived;
  const [row] = await read(
    em,
    sql`with history as (select ${HISTORY} = ${history} as is_here),
      buried as (
        insert into dead_letter (event_id, workspace_id, type, event, reason, buried_at)
        select ${id ?? newId()}::uuid, ${isId(workspaceId) ? workspaceId : NO_WORKSPACE}::uuid, ${type},
          ${JSON.stringify(content)}::jsonb, ${reason}, clock_timestamp() from history where is_here
        on conflict (event_id) do nothing)
      select ${as('isHere', 'boolean', sql`coalesce(is_here, false)`)} from history`,
  );
  return row!.isHere;
}
