import type { EntityManager } from '@mikro-orm/postgresql';
import type { KyselyPlugin } from 'kysely';

/** The same entity manager for reads, counting what it asks Postgres: prepared, and by Kysely. */
export function countingStatements(em: EntityManager, counted: { statements: number }): EntityManager {
  const counter: KyselyPlugin = {
    transformQuery: ({ node }) => {
      counted.statements += 1;
      return node;
    },
    transformResult: ({ result }) => Promise.resolve(result),
  };
  const connection = em.getConnection();
  const getNativeClient = async () => {
    const pool = await connection.getNativeClient();
    const query = (statement: { text: string }) => {
      counted.statements += 1;
      return pool.query(statement);
    };
    return { query };
  };
  return Object.create(em, {
    getKysely: { value: () => em.getKysely().withPlugin(counter) },
    getConnection: { value: () => ({ getNativeClient }) },
    isInTransaction: { value: () => false },
  }) as EntityManager;
}
