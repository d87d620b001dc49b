import type { EntityManager } from '@mikro-orm/postgresql';
import { read, Sql, sql } from './sql.js';

export const Part = Sql;
export type Part = Sql;
export const part = sql;

export async function readComposed<Row extends object>(em: EntityManager, statement: Sql): Promise<Row[]> {
  return (await read(em, statement)) as Row[];
}
