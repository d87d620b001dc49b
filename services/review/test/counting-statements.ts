import type { EntityManager } from '@mikro-orm/postgresql';
import type { KyselyPlugin } from 'kysely';

interface Statement {
  text: string;
  values: unknown[];
}

export interface Counted {
  statements: number;
  /** The last prepared statement. */
  last?: Statement;
}

/** Wraps an entity manager and counts its read statements, prepared or built with Kysely. */
export function countingStatements(em: EntityManager, counted: Counted): EntityManager {
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
    const query = (statement: Statement) => {
      counted.statements += 1;
      counted.last = statement;
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
