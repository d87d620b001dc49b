import { defineEntity, p } from '@mikro-orm/core';
import { exactNumber, instant } from '@payroll/store';
import { ATTEMPT_STATUSES } from '../domain/payout.js';
import { PAYOUT_METHODS } from '../domain/payee.js';
import { SANDBOX_STATES } from '../payouts/sandbox-script.js';

/** Each try to pay a payment out, with all that the provider is told: the same try is submitted the same every time. */
export const PayoutAttemptTable = defineEntity({
  name: 'PayoutAttempt',
  tableName: 'payout_attempt',
  properties: {
    workspaceId: p.uuid().primary(),
    paymentId: p.uuid().primary(),
    number: p.integer().primary(),
    status: p.enum(ATTEMPT_STATUSES).columnType('text'),
    payeeId: p.uuid(),
    payoutMethod: p.enum(PAYOUT_METHODS).columnType('text'),
    destination: p.text(),
    currency: p.text(),
    amount: exactNumber(),
    providerReference: p.text().strictNullable(),
    looks: p.integer().comment('How often the provider was asked about it.'),
    lookAt: instant().strictNullable().comment('When the provider is asked next; null: at once.'),
    createdAt: instant(),
    updatedAt: instant(),
  },
  indexes: [{ name: 'payout_attempt_open', properties: ['lookAt'], where: "status in ('prepared', 'submitted')" }],
  // The last defence: a payment has one attempt that pays or may still pay.
  uniques: [{ name: 'payout_attempt_alone', properties: ['workspaceId', 'paymentId'], where: "status <> 'declined'" }],
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
    createdAt: instant(),
  },
});
