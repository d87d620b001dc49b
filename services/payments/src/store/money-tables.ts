import { defineEntity, p } from '@mikro-orm/core';
import { PAYMENT_METHODS, PAYMENT_SOURCES } from '@payroll/kernel';
import { exactNumber, instant } from '@payroll/store';
import { ASSET_ACCOUNTS, LEDGER_ACCOUNTS, POSTING_KINDS } from '../domain/ledger.js';
import { ATTEMPT_STATUSES, PAYOUT_ALARMS, type ProviderPayout } from '../domain/payout.js';
import { UNCLAIMED_STATUSES } from '../domain/unclaimed-order.js';

/**
 * Attempts to pay out a payment, with everything sent to the provider: every submission of an attempt is the same.
 */
export const PayoutAttemptTable = defineEntity({
  name: 'PayoutAttempt',
  tableName: 'payout_attempt',
  properties: {
    workspaceId: p.uuid().primary(),
    paymentId: p.uuid().primary(),
    number: p.integer().primary(),
    status: p.enum(ATTEMPT_STATUSES).columnType('text'),
    idempotencyKey: p.text().comment('The name it is submitted under.'),
    payeeId: p.uuid(),
    workerId: p.uuid().comment('The provider repeats it, so that an order is attributed when its attempt is lost.'),
    payoutMethod: p.enum(PAYMENT_METHODS).columnType('text'),
    destination: p.text(),
    currency: p.text(),
    amount: exactNumber(),
    providerReference: p.text().strictNullable(),
    heard: p.json<ProviderPayout>().strictNullable().comment('What the provider said of it last.'),
    polls: p.integer().comment('How often the provider was asked about it.'),
    nextPollAt: instant().strictNullable().comment('When the provider is asked next; null: at once.'),
    alarm: p.enum(PAYOUT_ALARMS).columnType('text').strictNullable().comment('Why it waits for a person.'),
    createdAt: instant(),
    updatedAt: instant(),
  },
  indexes: [
    { name: 'payout_attempt_open', properties: ['nextPollAt'], where: "status in ('prepared', 'submitted')" },
    { name: 'payout_attempt_newest', properties: ['createdAt'] },
  ],
  // Last line of defense: a payment has one attempt that pays or may still pay, and no two attempts share a key.
  uniques: [
    { name: 'payout_attempt_alone', properties: ['workspaceId', 'paymentId'], where: "status <> 'declined'" },
    { name: 'payout_attempt_key', properties: ['idempotencyKey'] },
  ],
});

/** Database generations in which the provider's orders have been, or are to be, compared with the attempts here. */
export const OrderCheckTable = defineEntity({
  name: 'OrderCheck',
  tableName: 'order_check',
  properties: {
    generation: p.text().primary(),
    seenAt: instant(),
    checkedAt: instant().strictNullable().comment('Null: no payout begins yet.'),
  },
});

/** Orders of the provider that match no attempt here: the attempt was lost with an earlier database generation. */
export const UnclaimedOrderTable = defineEntity({
  name: 'UnclaimedOrder',
  tableName: 'unclaimed_order',
  properties: {
    workspaceId: p.uuid().primary(),
    id: p.uuid().primary(),
    status: p.enum(UNCLAIMED_STATUSES).columnType('text'),
    idempotencyKey: p.text(),
    // Generated, so that the previous version can still insert orders while an upgrade is under way.
    sourceType: p
      .enum(PAYMENT_SOURCES)
      .columnType('text')
      .generated("(split_part(idempotency_key, ':', 1)) stored")
      .comment('The work that the order was for, from its key.'),
    sourceId: p.uuid().generated("(split_part(idempotency_key, ':', 2)::uuid) stored"),
    workerId: p.uuid(),
    payoutMethod: p.enum(PAYMENT_METHODS).columnType('text'),
    destination: p.text(),
    currency: p.text(),
    amount: exactNumber(),
    providerReference: p.text(),
    orderedAt: instant().comment("By the provider's clock."),
    createdAt: instant(),
    updatedAt: instant(),
  },
  indexes: [
    { name: 'unclaimed_order_newest', properties: ['workspaceId', 'createdAt', 'id'] },
    { name: 'unclaimed_order_open', properties: ['workspaceId'], where: "status = 'open'" },
  ],
  uniques: [{ name: 'unclaimed_order_key', properties: ['idempotencyKey'] }],
});

const assets = ASSET_ACCOUNTS.map((account) => `'${account}'`).join(', ');

/** An account and its balance, which changes in the transaction of each posting. */
export const LedgerAccountTable = defineEntity({
  name: 'LedgerAccount',
  tableName: 'ledger_account',
  properties: {
    workspaceId: p.uuid().primary(),
    account: p.enum(LEDGER_ACCOUNTS).columnType('text').primary(),
    currency: p.text().primary(),
    balance: exactNumber(),
  },
  checks: [
    {
      name: 'ledger_account_balance_check',
      expression: `case when account in (${assets}) then balance >= 0 else balance <= 0 end`,
    },
  ],
});

/** Money that moved, and why. The service's role can insert and read rows, but not change them. */
export const LedgerPostingTable = defineEntity({
  name: 'LedgerPosting',
  tableName: 'ledger_posting',
  properties: {
    workspaceId: p.uuid().primary(),
    id: p.uuid().primary(),
    kind: p.enum(POSTING_KINDS).columnType('text'),
    paymentId: p.uuid().strictNullable(),
    attempt: p.integer().strictNullable(),
    reference: p.text().strictNullable(),
    createdAt: instant(),
  },
  uniques: [
    { name: 'ledger_posting_once_per_attempt', properties: ['workspaceId', 'paymentId', 'attempt', 'kind'] },
    // Last line of defense: a payment is settled once.
    { name: 'ledger_posting_settled_once', properties: ['workspaceId', 'paymentId'], where: "kind = 'settlement'" },
  ],
});

/** The lines of postings, append-only too; Postgres refuses to commit a posting that does not add up to zero. */
export const LedgerEntryTable = defineEntity({
  name: 'LedgerEntry',
  tableName: 'ledger_entry',
  properties: {
    workspaceId: p.uuid().primary(),
    id: p.uuid().primary(),
    postingId: p.uuid(),
    account: p.enum(LEDGER_ACCOUNTS).columnType('text'),
    currency: p.text(),
    amount: exactNumber().comment('Signed.'),
    createdAt: instant(),
  },
  indexes: [
    { name: 'ledger_entry_newest', properties: ['workspaceId', 'createdAt', 'id'] },
    { name: 'ledger_entry_newest_by_account', properties: ['workspaceId', 'account', 'createdAt', 'id'] },
    { name: 'ledger_entry_newest_by_currency', properties: ['workspaceId', 'currency', 'createdAt', 'id'] },
    { name: 'ledger_entry_of_posting', properties: ['workspaceId', 'postingId'] },
  ],
  checks: [{ name: 'ledger_entry_amount_check', expression: 'amount <> 0' }],
});
