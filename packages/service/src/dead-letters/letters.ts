import { eventRoutes, isEventType } from '@payroll/events';
import { isId, isInstant, toInstant, type Instant, type ServiceName } from '@payroll/kernel';
import { type DEAD_LETTER_STATES, type DEAD_LETTER_STEPS, DeadLetterTable } from '@payroll/commands';
import { computed, columns, sql, type Sql, type TableRow, Keyset, read, type Page, type Paging } from '@payroll/store';
import type { EntityManager } from '@mikro-orm/postgresql';

export type DeadLetterState = (typeof DEAD_LETTER_STATES)[number];

/** Something that happened to a dead letter; that it became one is the first. */
export interface DeadLetterStep {
  step: (typeof DEAD_LETTER_STEPS)[number];
  at: Instant;
  /** A person, by email address; null where the service did it. */
  by: string | null;
  reason: string | null;
}

export type DeadLetter = ReturnType<typeof toDeadLetter>;

const LATER = sql`select json_agg(json_build_object('step', step, 'at', at::text, 'by', by, 'reason', reason) order by at, id)
  from dead_letter_step where dead_letter_step.event_id = dead_letter.event_id`;

/** Up to the table, which a list has with the names that positions go by. */
const LETTERS = sql`select ${columns(DeadLetterTable)}, ${computed('later', 'text?', LATER)}`;

type LetterRow = TableRow<typeof DeadLetterTable> & { later: string | null };

export function letterById(workspaceId: string, id: string): Sql<LetterRow> {
  return sql`${LETTERS} from dead_letter where workspace_id = ${workspaceId} and event_id = ${id}`;
}

/** An event that a service could not apply, with all that is known of it. */
export function toDeadLetter(consumer: ServiceName, row: LetterRow) {
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

interface LetterFilters extends Paging {
  state?: DeadLetterState | null;
  /** The subject of the event, such as a payment. */
  aboutId?: string | null;
}

/** The letters of one workspace, newest first. A letter keeps the position of its first failure. */
export async function listLetters(
  em: EntityManager,
  service: ServiceName,
  workspaceId: string,
  { state = null, aboutId = null, ...page }: LetterFilters,
): Promise<Page<DeadLetter>> {
  const filters = { state, aboutId };
  const keyset = new Keyset({ list: `dead letters of ${service}`, workspaceId, filters, ...page });
  const statement = keyset.statement(POSITIONED, 'dead_letter', [
    state && sql`state = ${state}`,
    aboutId && sql`event ->> 'aboutId' = ${aboutId.toLowerCase()}`,
  ]);
  return keyset.page(await read(em, statement), (row) => toDeadLetter(service, row));
}

const POSITIONED = sql`${LETTERS}, ${computed('id', 'uuid', sql`event_id`)},
    ${computed('createdAt', 'timestamptz', sql`buried_at`)}, ${computed('updatedAt', 'timestamptz', sql`buried_at`)}
  from (select *, event_id as id, buried_at as created_at from dead_letter) dead_letter`;

/** The letters of all workspaces, newest first, for the shell; one more than the limit means that there are more. */
export async function lettersIn(
  em: EntityManager,
  service: ServiceName,
  states: readonly DeadLetterState[],
  limit: number,
): Promise<DeadLetter[]> {
  const rows = await read(
    em,
    sql`${LETTERS} from dead_letter where state = any(${states}::text[]) order by buried_at desc, event_id desc limit ${limit}`,
  );
  return rows.map((row) => toDeadLetter(service, row));
}

export async function findLetter(em: EntityManager, service: ServiceName, id: string): Promise<DeadLetter | null> {
  if (!isId(id)) return null;
  const [row] = await read(em, sql`${LETTERS} from dead_letter where event_id = ${id}`);
  return row ? toDeadLetter(service, row) : null;
}
