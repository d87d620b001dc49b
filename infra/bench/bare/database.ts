import { Pool, type PoolClient, type QueryResultRow } from 'pg';

/** A statement that Postgres parses and plans once per connection. */
export interface Prepared {
  name: string;
  text: string;
}

export type Run = <Row extends QueryResultRow>(statement: Prepared, values?: readonly unknown[]) => Promise<Row[]>;

/** As many connections as each of our services has. */
export function openPool(connectionString: string): Pool {
  return new Pool({ connectionString, max: 10, options: '-c search_path=bench' });
}

export function runnerOf(on: Pool | PoolClient): Run {
  return async (statement, values = []) => (await on.query({ ...statement, values: [...values] })).rows as never;
}
