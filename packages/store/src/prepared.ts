import type { EntityManager } from '@mikro-orm/postgresql';

/**
 * A statement that is written once and asked on every request: Postgres parses it once per connection, and plans it
 * once where a plan for any parameters is as good as one for these. Runs by itself, outside any transaction of `em`.
 */
export function prepared<Row extends object>(name: string, text: string) {
  return async (em: EntityManager, ...values: readonly unknown[]): Promise<Row[]> => {
    const pool = await em.getConnection().getNativeClient();
    const { rows } = await pool.query<Row>({ name, text, values: [...values] });
    return rows;
  };
}
