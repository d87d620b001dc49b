/**
 * Inserts $2 copies of a row with other values, given as names and expressions of `t`, the row, and `n`, the number of the copy.
 * Suits every version of a table: no other columns are named.
 */
export const copiesOf = (table: string, which: string, values: string): string =>
  `insert into ${table} select copy.* from ${table} t, generate_series(1, $2::int) n,
    jsonb_populate_record(t, jsonb_build_object(${values})) copy where ${which}`;

/** A copy is a microsecond newer than the one before. */
export const NEWER = `'created_at', t.created_at + n * interval '1 us', 'updated_at', t.updated_at + n * interval '1 us'`;
