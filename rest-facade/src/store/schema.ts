import { defineEntity, p } from '@mikro-orm/core';
import type { Schema } from '@payroll/store';
import { Migration20261124000000_first } from './migrations/Migration20261124000000_first.js';

/**
 * The one request that an `Idempotency-Key` of a principal is for. A recorded refusal removes the row, which frees the key for
 * a corrected request; every other row stays permanently. The facade's role may add, read and remove rows, not change them.
 */
export const IdempotencyKeyTable = defineEntity({
  name: 'IdempotencyKey',
  tableName: 'idempotency_key',
  properties: {
    principalId: p.uuid().primary(),
    key: p.text().primary(),
    fingerprint: p.text().comment('Digest of method, path with ids and body: another request may not use the key.'),
  },
});

export const facadeSchema: Schema = {
  name: 'rest_facade',
  tables: [IdempotencyKeyTable],
  migrations: [Migration20261124000000_first],
  migrationsDir: `${import.meta.dirname}/migrations`,
};
