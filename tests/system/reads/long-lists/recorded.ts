import type { openDatabase } from '@payroll/store';

export type EntityManager = Awaited<ReturnType<typeof openDatabase>>['em'];

/** A statement as it was sent to Postgres. */
export interface Sent {
  text: string;
  values: unknown[];
}

/** Wraps an entity manager and records each prepared statement that it sends. */
export function recorded(em: EntityManager, sent: Sent[]): EntityManager {
  const connection = em.getConnection();
  const getNativeClient = async () => {
    const pool = await connection.getNativeClient();
    const query = (statement: Sent) => {
      sent.push(statement);
      return pool.query(statement);
    };
    return { query };
  };
  return Object.create(em, {
    getConnection: { value: () => ({ getNativeClient }) },
    isInTransaction: { value: () => false },
  }) as EntityManager;
}
