import { isId, isInstant, type Instant } from '@payroll/kernel';
import type { JsMsg } from 'nats';

/** The header that says in which history of the database the event was due (ADR 0020). */
export const HISTORY_HEADER = 'Payroll-History';
/** The header that carries the trace. */
export const TRACEPARENT = 'traceparent';

/** What can be said of a message before it is known to be an event. */
export interface Arrived {
  /** Null when it has none that could be confirmed. */
  id: string | null;
  type: string;
  workspaceId: string;
  /** The request that caused it, for the log. */
  requestId: string;
  /** When the change happened that it tells of. */
  occurredAt: Instant | null;
  /** Null when its publisher said none, as an older version does. */
  history: string | null;
  /** What it is about, for the trace. */
  aboutId: string | undefined;
  /** The step of a trace that published it. */
  traceparent: string | undefined;
  /** The JSON it holds; the text itself when it is none. */
  content: unknown;
}

export function readArrived(message: JsMsg): Arrived {
  const content = readContent(message);
  const { id, type, workspaceId, requestId, occurredAt, aboutId } = asRecord(content);
  return {
    id: isId(id) ? id : null,
    type: typeof type === 'string' ? type : 'unknown',
    workspaceId: typeof workspaceId === 'string' ? workspaceId : '',
    requestId: typeof requestId === 'string' ? requestId : '',
    occurredAt: isInstant(occurredAt) ? occurredAt : null,
    history: message.headers?.get(HISTORY_HEADER) || null,
    aboutId: isId(aboutId) ? aboutId : undefined,
    traceparent: message.headers?.get(TRACEPARENT),
    content,
  };
}

function readContent(message: JsMsg): unknown {
  try {
    return message.json();
  } catch {
    // Postgres keeps no zero characters in text.
    return message.string().replaceAll('\0', '');
  }
}

function asRecord(value: unknown): Record<string, unknown> {
  return value !== null && typeof value === 'object' ? (value as Record<string, unknown>) : {};
}
