import type { EntityManager } from '@mikro-orm/postgresql';
import { columnsBut, read, sql } from '@payroll/store';
import type { InternalToken } from '../domain/internal-token.js';
import { InternalTokenTable } from '../store/tables.js';

/** Those that open the internal endpoint now, or all there ever were; newest first. */
export async function listInternalTokens(em: EntityManager, { all }: { all: boolean }): Promise<InternalToken[]> {
  const which = all ? sql`` : sql`where revoked_at is null and expires_at > now()`;
  return await read(
    em,
    sql`select ${columnsBut(InternalTokenTable, 'secretHash')} from internal_token ${which}
      order by created_at desc, id desc`,
  );
}
