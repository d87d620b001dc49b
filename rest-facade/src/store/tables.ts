import { defineEntity, p } from '@mikro-orm/core';
import { instant } from '@payroll/store';

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
});
