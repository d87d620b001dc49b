import type { EntityManager } from '@mikro-orm/postgresql';

/** Parsed once per connection, planned once where a plan fits any parameters. Runs outside any transaction of `em`. */
export function prepared<Row extends object>(name: string, text: string) {
  return async (em: EntityManager, ...values: readonly unknown[]): Promise<Row[]> => {
    const pool = await em.getConnection().getNativeClient();
    const { rows } = await pool.query<Row>({ name, text, values: [...values] });
    return rows;
  };
}
