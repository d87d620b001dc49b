import type { EntityManager } from '@mikro-orm/postgresql';
import { sql, type Kysely } from 'kysely';
import { errors, type Adapter, type AdapterPayload } from 'oidc-provider';
import type { WorkspacesRows } from '../store/schema.js';
import { fingerprint, type SealedBox } from './sealed-box.js';

/**
 * Keeps artifacts of one kind. Rows are found by the SHA-256 of the code or token, and their payload is sealed: a stolen
 * table has nothing to present.
 */
export class ArtifactAdapter implements Adapter {
  private readonly rows: Kysely<WorkspacesRows>;

  constructor(
    em: EntityManager,
    private readonly box: SealedBox,
    private readonly kind: string,
  ) {
    this.rows = em.getKysely<WorkspacesRows>();
  }

  async upsert(id: string, payload: AdapterPayload, expiresInS: number): Promise<void> {
    const idHash = fingerprint(id);
    const { jti: _, ...rest } = payload;
    const row = {
      grant_id: this.kind === 'Grant' ? id : (payload.grantId ?? null),
      sealed: this.box.seal(JSON.stringify(rest), this.context(idHash)),
      expires_at: sql<string>`clock_timestamp() + ${`${expiresInS} s`}::interval`,
    };
    await this.rows
      .insertInto('oauth_artifact')
      .values({ kind: this.kind, id_hash: idHash, consumed_at: null, ...row })
      .onConflict((conflict) => conflict.columns(['kind', 'id_hash']).doUpdateSet(row))
      .execute();
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const idHash = fingerprint(id);
    const row = await this.rows
      .selectFrom('oauth_artifact')
      .select(['sealed', sql<number | null>`extract(epoch from consumed_at)::int`.as('consumed')])
      .where('kind', '=', this.kind)
      .where('id_hash', '=', idHash)
      .where('expires_at', '>', sql<string>`clock_timestamp()`)
      .executeTakeFirst();
    if (!row) return undefined;
    const payload = JSON.parse(this.box.open(row.sealed, this.context(idHash))) as AdapterPayload;
    return { ...payload, jti: id, ...(row.consumed !== null && { consumed: row.consumed }) };
  }

  /** @throws InvalidGrant for all but the first of several that come at the same moment; what the first got is revoked. */
  async consume(id: string): Promise<void> {
    const idHash = fingerprint(id);
    const { numUpdatedRows } = await this.rows
      .updateTable('oauth_artifact')
      .set({ consumed_at: sql<string>`clock_timestamp()` })
      .where('kind', '=', this.kind)
      .where('id_hash', '=', idHash)
      .where('consumed_at', 'is', null)
      .executeTakeFirst();
    if (numUpdatedRows > 0n) return;
    await this.rows
      .deleteFrom('oauth_artifact')
      .where('grant_id', '=', (used) =>
        used
          .selectFrom('oauth_artifact')
          .select('grant_id')
          .where('kind', '=', this.kind)
          .where('id_hash', '=', idHash),
      )
      .execute();
    throw new errors.InvalidGrant('it was used before');
  }

  async destroy(id: string): Promise<void> {
    await this.rows
      .deleteFrom('oauth_artifact')
      .where('kind', '=', this.kind)
      .where('id_hash', '=', fingerprint(id))
      .execute();
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    await this.rows
      .deleteFrom('oauth_artifact')
      .where('kind', '=', this.kind)
      .where('grant_id', '=', grantId)
      .execute();
  }

  /** Sessions have a uid of their own, and forget; user codes are of flows that are not offered. */
  findByUid(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  findByUserCode(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  /** A payload opens only in the row that it was sealed for. */
  private context(idHash: string): string {
    return `${this.kind}/${idHash}`;
  }
}
