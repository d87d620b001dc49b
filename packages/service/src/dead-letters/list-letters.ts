import type { EntityManager } from '@mikro-orm/postgresql';
import { isId, type ServiceName } from '@payroll/kernel';
import { computed, Keyset, read, sql, type Page, type PageRequest } from '@payroll/store';
import { type DeadLetter, type DeadLetterState, LETTERS, toDeadLetter } from './letter.js';

interface LetterFilters extends Pick<PageRequest, 'limit' | 'cursor'> {
  state?: DeadLetterState | null;
  /** The subject of the event, such as a payment. */
  aboutId?: string | null;
}

/** The letters of one workspace, newest first. A letter keeps the position of its first failure. */
export async function listLetters(
  em: EntityManager,
  service: ServiceName,
  workspaceId: string,
  { state = null, aboutId = null, limit, cursor }: LetterFilters,
): Promise<Page<DeadLetter>> {
  const filters = { state, aboutId };
  const keyset = new Keyset({ list: `dead letters of ${service}`, workspaceId, filters, limit, cursor });
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
