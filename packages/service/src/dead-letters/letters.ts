import { eventRoutes, isEventType } from '@payroll/events';
import { isId, isInstant, toInstant, type Instant, type ServiceName } from '@payroll/kernel';
import { type DEAD_LETTER_STATES, type DEAD_LETTER_STEPS, DeadLetterTable } from '@payroll/commands';
import { computed, columns, sql, type Sql, type TableRow } from '@payroll/store';

export type DeadLetterState = (typeof DEAD_LETTER_STATES)[number];

/** Something that happened to a dead letter; that it became one is the first. */
export interface DeadLetterStep {
  step: (typeof DEAD_LETTER_STEPS)[number];
  at: Instant;
  /** A person, by e-mail address; null where the service did it. */
  by: string | null;
  reason: string | null;
}

/** An event that a service could not apply, with all that is known of it. */
export interface DeadLetter {
  /** The event's. */
  id: string;
  workspaceId: string;
  type: string;
  publisher: ServiceName | null;
  consumer: ServiceName;
  state: DeadLetterState;
  /** Why it could not be applied, the last time. */
  reason: string;
  aboutId: string | null;
  occurredAt: Instant | null;
  buriedAt: Instant;
  requestId: string | null;
  traceId: string | null;
  /** Whole, as JSON. */
  event: string;
  story: DeadLetterStep[];
}

const LATER = sql`select json_agg(json_build_object('step', step, 'at', at::text, 'by', by, 'reason', reason) order by at, id)
  from dead_letter_step where dead_letter_step.event_id = dead_letter.event_id`;

/** Up to the table, which a list has with the names that positions go by. */
export const LETTERS = sql`select ${columns(DeadLetterTable)}, ${computed('later', 'text?', LATER)}`;

type LetterRow = TableRow<typeof DeadLetterTable> & { later: string | null };

export function letterById(workspaceId: string, id: string): Sql<LetterRow> {
  return sql`${LETTERS} from dead_letter where workspace_id = ${workspaceId} and event_id = ${id}`;
}

export function toDeadLetter(consumer: ServiceName, row: LetterRow): DeadLetter {
  const { eventId, workspaceId, type, state, buriedAt, traceparent } = row;
  const later = (JSON.parse(row.later ?? '[]') as DeadLetterStep[]).map((each) => ({
    ...each,
    at: toInstant(each.at),
  }));
  const story: DeadLetterStep[] = [{ step: 'dead_lettered', at: buriedAt, by: null, reason: row.reason }, ...later];
  const { aboutId, requestId, occurredAt } = (row.event ?? {}) as Record<string, unknown>;
  return {
    ...{ id: eventId, workspaceId, type, consumer, state, buriedAt, story },
    publisher: isEventType(type) ? eventRoutes[type].publisher : null,
    reason: story.findLast(({ step }) => step === 'dead_lettered')!.reason!,
    aboutId: isId(aboutId) ? aboutId : null,
    occurredAt: isInstant(occurredAt) ? occurredAt : null,
    requestId: typeof requestId === 'string' ? requestId : null,
    traceId: traceparent?.split('-')[1] ?? null,
    event: JSON.stringify(row.event),
  };
}
