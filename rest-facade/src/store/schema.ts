import { defineEntity, p } from '@mikro-orm/core';
import { defineSchema, instant, kept, OUTCOME_DAYS, type Rows } from '@payroll/store';
import { Migration20261121084051_idempotency_claim } from './migrations/Migration20261121084051_idempotency_claim.js';
import { Migration20261121210324_kept } from './migrations/Migration20261121210324_kept.js';

/**
 * One use of an `Idempotency-Key` by a principal. A definitive refusal removes the row, which frees the key; every other
 * row stays for ever, so that a key that expired is never taken for a new one. Retention empties `body` only.
 */
export const IdempotencyClaimTable = defineEntity({
  name: 'IdempotencyClaim',
  tableName: 'idempotency_claim',
  properties: {
    principalId: p.uuid().primary(),
    key: p.text().primary(),
    fingerprint: p.text().comment('Digest of method, path with ids and body: another request may not use the key.'),
    operationId: p.uuid().comment('What the services know the operation by: the same for every attempt.'),
    attempt: p.integer(),
    state: p.enum(['running', 'done']).columnType('text'),
    requestId: p.text().comment('The request that works on it, or that finished it.'),
    begunAt: instant(),
    leaseUntil: instant().comment('A running claim whose lease has lapsed may be taken over.'),
    finishedAt: instant().nullable(),
    status: p.integer().nullable(),
    body: p.text().nullable(),
  },
  indexes: [{ name: 'idempotency_claim_kept', properties: ['finishedAt'], where: 'body is not null' }],
  triggers: [
    kept({
      name: 'keeps_key',
      on: 'delete',
      when: `old.state = 'done'`,
      because: 'a key whose operation was carried out is never taken for a new one',
    }),
    kept({
      name: 'keeps_answer',
      on: 'update',
      when: `old.state = 'done' and ((new.state, new.status) is distinct from (old.state, old.status)
        or (new.body is distinct from old.body
          and (new.body is not null or old.finished_at > clock_timestamp() - interval '${OUTCOME_DAYS} days')))`,
      because: 'an answer is written once, and replayed until it expires',
    }),
  ],
});

export const facadeSchema = defineSchema({
  name: 'rest_facade',
  tables: [IdempotencyClaimTable],
  migrations: [Migration20261121084051_idempotency_claim, Migration20261121210324_kept],
  migrationsDir: `${import.meta.dirname}/migrations`,
});

export type FacadeRows = Rows<typeof facadeSchema>;
