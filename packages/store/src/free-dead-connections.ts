import type { EntityManager } from '@mikro-orm/postgresql';

/**
 * Gives the place of a connection that ended while in use back to its pool. Kysely keeps the connection of a transaction for
 * ever when its rollback fails, as it does once Postgres has ended the session (a time-out of the role, a restart): after as
 * many such transactions as the pool has places, the process would wait for a connection without end.
 */
export async function freeDeadConnections(em: EntityManager): Promise<void> {
  const pool = await em.getConnection().getNativeClient();
  const discards = new WeakMap<object, () => void>();
  pool.on('acquire', (client) => {
    const discard = (): void => {
      client.release(true);
      // Whoever had it may give it back as well, which a pool takes for a mistake.
      client.release = () => undefined;
    };
    discards.set(client, discard);
    client.once('end', discard);
  });
  pool.on('release', (_error, client) => {
    const discard = discards.get(client);
    if (discard) client.off('end', discard);
  });
}
