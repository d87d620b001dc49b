import type { EntityManager } from '@mikro-orm/postgresql';
import type { KyselyPlugin } from 'kysely';

/** The same entity manager for reads, counting what it asks Postgres. */
export function countingStatements(em: EntityManager, counted: { statements: number }): EntityManager {
  const counter: KyselyPlugin = {
    transformQuery: ({ node }) => {
      counted.statements += 1;
      return node;
    },
    transformResult: ({ result }) => Promise.resolve(result),
  };
  return Object.create(em, {
    getKysely: { value: () => em.getKysely().withPlugin(counter) },
  }) as EntityManager;
}
