import type { EntityManager } from '@mikro-orm/postgresql';
import { sql, type Kysely } from 'kysely';
import type { Adapter, AdapterPayload } from 'oidc-provider';
import type { WorkspacesRows } from '../store/schema.js';

/** Keeps the clients that registered themselves. */
export class ClientAdapter implements Adapter {
  private readonly rows: Kysely<WorkspacesRows>;

  constructor(em: EntityManager) {
    this.rows = em.getKysely<WorkspacesRows>();
  }

  async upsert(id: string, payload: AdapterPayload): Promise<void> {
    const metadata = { ...payload };
    await this.rows
      .insertInto('oauth_client')
      .values({ id, metadata, created_at: sql<string>`clock_timestamp()`, last_used_at: null })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ metadata }))
      .execute();
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const row = await this.rows.selectFrom('oauth_client').select('metadata').where('id', '=', id).executeTakeFirst();
    return row?.metadata;
  }

  async destroy(id: string): Promise<void> {
    await this.rows.deleteFrom('oauth_client').where('id', '=', id).execute();
  }

  /** A client is no artifact of a sign-in: none of these is asked of it. */
  findByUid(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  findByUserCode(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  consume(): Promise<void> {
    return Promise.resolve();
  }

  revokeByGrantId(): Promise<void> {
    return Promise.resolve();
  }
}
