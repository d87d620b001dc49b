import { defineEntity, p } from '@mikro-orm/core';
import { exactNumber, instant } from '@payroll/store';
import { ATTEMPT_STATUSES, PAYOUT_ALARMS } from '../domain/payout.js';
import { PAYOUT_METHODS } from '../domain/payee.js';
import { SANDBOX_STATES } from '../payouts/sandbox-provider.js';

/** Each try to pay a payment out, with all that the provider is told: the same try is submitted the same every time. */
export const PayoutAttemptTable = defineEntity({
  name: 'PayoutAttempt',
  tableName: 'payout_attempt',
  properties: {
    workspaceId: p.uuid().primary(),
    paymentId: p.uuid().primary(),
    number: p.integer().primary(),
    status: p.enum(ATTEMPT_STATUSES).columnType('text'),
    idempotencyKey: p
      .text()
      .strictNullable()
      .comment('The name it is submitted under; null: the version before made it, as payment_id:number.'),
    payeeId: p.uuid(),
    payoutMethod: p.enum(PAYOUT_METHODS).columnType('text'),
    destination: p.text(),
    currency: p.text(),
    amount: exactNumber(),
    providerReference: p.text().strictNullable(),
    looks: p.integer().comment('How often the provider was asked about it.'),
    askAt: instant().strictNullable().comment('When the provider is asked next; null: at once.'),
    alarm: p.enum(PAYOUT_ALARMS).columnType('text').strictNullable().comment('Why it waits for a person.'),
    lookAt: instant()
      .strictNullable()
      .defaultRaw("'9999-12-31T00:00:00Z'")
      .comment('Of the version before, which knows no keys but its own: it must not take what this one has prepared.'),
    createdAt: instant(),
    updatedAt: instant(),
  },
  indexes: [
    { name: 'payout_attempt_to_ask', properties: ['askAt'], where: "status in ('prepared', 'submitted')" },
    { name: 'payout_attempt_open', properties: ['lookAt'], where: "status in ('prepared', 'submitted')" },
  ],
  // The last defence: a payment has one attempt that pays or may still pay, and no two attempts are one for the provider.
  uniques: [
    { name: 'payout_attempt_alone', properties: ['workspaceId', 'paymentId'], where: "status <> 'declined'" },
    { name: 'payout_attempt_key', properties: ['idempotencyKey'] },
  ],
});

/** What the embedded sandbox provider remembers; a real provider keeps this in its own house. */
export const SandboxPayoutTable = defineEntity({
  name: 'SandboxPayout',
  tableName: 'sandbox_payout',
  properties: {
    idempotencyKey: p.text().primary(),
    state: p.enum(SANDBOX_STATES).columnType('text'),
    currency: p.text(),
    amount: exactNumber(),
    payoutMethod: p.enum(PAYOUT_METHODS).columnType('text').strictNullable(),
    destination: p.text().strictNullable(),
    createdAt: instant(),
  },
});
