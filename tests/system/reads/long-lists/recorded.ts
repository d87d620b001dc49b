import type { openDatabase } from '@payroll/store';

export type EntityManager = Awaited<ReturnType<typeof openDatabase>>['em'];

/** A statement as it was sent. */
export interface Sent {
  text: string;
  values: unknown[];
}

/** The same entity manager, noting each prepared statement that it sends. */
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
