import { defineEntity, p } from '@mikro-orm/core';
import { exactNumber, instant } from '@payroll/store';
import { PAYMENT_SOURCES, PAYMENT_STATUSES } from '../domain/payment.js';

export const PaymentTable = defineEntity({
  name: 'Payment',
  tableName: 'payment',
  properties: {
    workspaceId: p.uuid().primary(),
    id: p.uuid().primary(),
    contractId: p.uuid(),
    sourceType: p.enum(PAYMENT_SOURCES).columnType('text'),
    sourceId: p.uuid(),
    status: p.enum(PAYMENT_STATUSES).columnType('text'),
    sequence: p.integer().comment('Grows with every status; its events carry it.'),
    currency: p.text(),
    gross: exactNumber(),
    net: exactNumber(),
    scheduledDate: p.date().strictNullable(),
    autoPayEnabled: p.boolean(),
    processedAt: instant().strictNullable(),
    completedAt: instant().strictNullable(),
    failureReason: p.text().strictNullable(),
    createdAt: instant(),
    updatedAt: instant(),
  },
  indexes: [
    { name: 'payment_newest', properties: ['workspaceId', 'createdAt', 'id'] },
    { name: 'payment_changed', properties: ['workspaceId', 'updatedAt', 'id'] },
    { name: 'payment_newest_by_status', properties: ['workspaceId', 'status', 'createdAt', 'id'] },
    { name: 'payment_changed_by_status', properties: ['workspaceId', 'status', 'updatedAt', 'id'] },
    { name: 'payment_newest_by_contract', properties: ['workspaceId', 'contractId', 'createdAt', 'id'] },
    { name: 'payment_changed_by_contract', properties: ['workspaceId', 'contractId', 'updatedAt', 'id'] },
  ],
  // The last defence: whatever else goes wrong, one piece of approved work has one payment.
  uniques: [{ name: 'payment_once_per_source', properties: ['sourceType', 'sourceId'] }],
});
