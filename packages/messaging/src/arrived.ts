import { isId, isInstant } from '@payroll/kernel';
import type { JsMsg } from 'nats';

/** The header with the history of the database in which the event was due (ADR 0020). */
export const HISTORY_HEADER = 'Payroll-History';
export const TRACEPARENT = 'traceparent';

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
