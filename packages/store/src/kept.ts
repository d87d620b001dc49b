/** public-api.md §8: results are kept for 7 days. */
export const OUTCOME_DAYS = 7;

/** Longer than a stream keeps an event (7 days): nothing that could still be delivered is forgotten. */
export const LEAST_EVENT_DAYS = 8;

/** The note that an event was applied outlives the event, wherever that is kept. */
export const INBOX_FACTOR = 2;

interface Kept {
  name: string;
  /** What is refused, of a row for which `when` holds; it speaks of `old` and, on update, of `new`. */
  on: 'delete' | 'update';
  when: string;
  /** For whoever reads the error: what the row is still needed for. */
  because: string;
}

/**
 * A trigger by which Postgres itself refuses to let go of a row that is still needed, whichever statement asks. It runs after
 * the change, so that no row is locked for it and a statement it has no objection to only pays for `when`.
 */
export function kept({ name, on, when, because }: Kept) {
  const body = `raise exception '%.% keeps this row: ${because}', tg_table_schema, tg_table_name using errcode = 'restrict_violation';`;
  return { name, timing: 'after' as const, events: [on], when, body };
}
