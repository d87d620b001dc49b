import { defineEntity, p } from '@mikro-orm/core';
import { FAILURE_REASONS, PAYMENT_METHODS, PAYMENT_SOURCES, PAYMENT_STATUSES } from '@payroll/kernel';
import { exactNumber, instant } from '@payroll/store';
import { INSTRUCTION_KINDS, WRITTEN_STATUSES, type Instructed } from '../domain/instruction.js';
import { type FormerDetails, VERIFICATION_STATUSES } from '../domain/payee.js';

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
    net: exactNumber().comment('Gross less the deductions.'),
    scheduledDate: p.date().strictNullable().comment('Null: due at once.'),
    autoPayEnabled: p.boolean(),
    processedAt: instant().strictNullable(),
    completedAt: instant().strictNullable(),
    failureReason: p.enum(FAILURE_REASONS).columnType('text').strictNullable(),
    traceparent: p
      .text()
      .strictNullable()
      .comment('The step of a trace in which its status last changed (W3C Trace Context), where traces are kept.'),
    createdAt: instant(),
    updatedAt: instant(),
  },
  indexes: [
    { name: 'payment_newest', properties: ['workspaceId', 'createdAt', 'id'] },
    { name: 'payment_changed', properties: ['workspaceId', 'updatedAt', 'id'] },
    { name: 'payment_newest_by_status', properties: ['workspaceId', 'status', 'createdAt', 'id'] },
    { name: 'payment_changed_by_status', properties: ['workspaceId', 'status', 'updatedAt', 'id'] },
    { name: 'payment_newest_by_contract', properties: ['workspaceId', 'contractId', 'createdAt', 'id'] },
    { name: 'payment_scheduled', properties: ['workspaceId', 'scheduledDate'] },
    { name: 'payment_changed_by_contract', properties: ['workspaceId', 'contractId', 'updatedAt', 'id'] },
    // Read only by the metric, across workspaces; leaves out settled payments, which are nearly all.
    { name: 'payment_unsettled', properties: ['status'], where: "status in ('pending', 'processing', 'failed')" },
    {
      name: 'payment_due',
      expression: (columns, table, name) =>
        `create index "${name}" on ${table.toString()} ((coalesce(${columns.scheduledDate}, '-infinity'::date)), ${columns.createdAt}, ${columns.id}) where ${columns.status} = 'pending' and ${columns.autoPayEnabled}`,
    },
    // For workspaces with an advanced calendar: with the other index, each round would scan the pending payments of
    // all workspaces.
    {
      name: 'payment_due_in_workspace',
      expression: (columns, table, name) =>
        `create index "${name}" on ${table.toString()} (${columns.workspaceId}, (coalesce(${columns.scheduledDate}, '-infinity'::date)), ${columns.createdAt}, ${columns.id}) where ${columns.status} = 'pending' and ${columns.autoPayEnabled}`,
    },
  ],
  checks: [{ name: 'payment_net_check', expression: 'net >= 0 and net <= gross' }],
  // Last line of defense: a piece of approved work has one payment.
  uniques: [{ name: 'payment_once_per_source', properties: ['sourceType', 'sourceId'] }],
});

/** Amounts withheld from a payment's gross. Rows can be added and removed while the payment is pending. */
export const DeductionTable = defineEntity({
  name: 'Deduction',
  tableName: 'deduction',
  properties: {
    workspaceId: p.uuid().primary(),
    id: p.uuid().primary(),
    paymentId: p.uuid(),
    name: p.text(),
    amount: exactNumber(),
    createdAt: instant(),
  },
  indexes: [{ name: 'deduction_of_payment', properties: ['workspaceId', 'paymentId', 'id'] }],
  checks: [{ name: 'deduction_amount_check', expression: 'amount > 0' }],
});

/** The worker of a contract, from its newest event. */
export const ContractWorkerTable = defineEntity({
  name: 'ContractWorker',
  tableName: 'contract_worker',
  properties: {
    workspaceId: p.uuid().primary(),
    contractId: p.uuid().primary(),
    workerId: p.uuid().strictNullable(),
    revision: p.integer(),
  },
  indexes: [{ name: 'contract_worker_by_worker', properties: ['workspaceId', 'workerId'] }],
});

/** The verification status of a workspace's business, from its newest event. */
export const BusinessTable = defineEntity({
  name: 'Business',
  tableName: 'business',
  properties: { workspaceId: p.uuid().primary(), kybStatus: p.text(), revision: p.integer() },
});

export const PayeeTable = defineEntity({
  name: 'Payee',
  tableName: 'payee',
  properties: {
    workspaceId: p.uuid().primary(),
    id: p.uuid().primary(),
    workerId: p.uuid(),
    holder: p.text().strictNullable().comment('Whose account it is, as its bank has it; null if not given.'),
    payoutMethod: p.enum(PAYMENT_METHODS).columnType('text'),
    destination: p.text(),
    verificationStatus: p.enum(VERIFICATION_STATUSES).columnType('text'),
    rejectionReason: p.text().strictNullable(),
    heldUntil: instant()
      .strictNullable()
      .comment('Nothing is paid there before, by the calendar of the workspace; null if it replaced no verified one.'),
    changedBy: p.text().strictNullable().comment('Who entered where the money goes.'),
    enteredWith: p
      .uuid()
      .strictNullable()
      .comment('The access of the worker who entered it; null where somebody else did, or before this was kept.'),
    verifiedBy: p.text().strictNullable(),
    changeId: p
      .uuid()
      .strictNullable()
      .comment('Of the last change that was held; a change during its hold belongs to it. Stop links name it.'),
    former: p
      .json<FormerDetails>()
      .strictNullable()
      .comment('What was paid to before the change, restored when it is stopped.'),
    stoppedAt: instant().strictNullable().comment('When the last change was stopped; null after another one.'),
    createdAt: instant(),
    updatedAt: instant(),
  },
  indexes: [
    { name: 'payee_newest', properties: ['workspaceId', 'createdAt', 'id'] },
    { name: 'payee_changed', properties: ['workspaceId', 'updatedAt', 'id'] },
    { name: 'payee_newest_by_status', properties: ['workspaceId', 'verificationStatus', 'createdAt', 'id'] },
    { name: 'payee_changed_by_status', properties: ['workspaceId', 'verificationStatus', 'updatedAt', 'id'] },
  ],
  checks: [
    // Last line of defense: a person cannot verify a destination that they entered.
    {
      name: 'payee_second_person_check',
      expression: `verified_by is null or changed_by is not null and lower(verified_by) <> lower(changed_by)`,
    },
    // Without it, the check above could compare names of different kinds, such as an address and an id.
    {
      name: 'payee_person_check',
      expression: `(changed_by = 'application' or changed_by like '%@%') and (verified_by = 'sandbox' or verified_by like '%@%')`,
    },
  ],
  uniques: [
    { name: 'payee_once_per_worker', properties: ['workspaceId', 'workerId'] },
    { name: 'payee_change', properties: ['workspaceId', 'changeId'] },
  ],
});

/**
 * Requests to move money. The service's role can insert rows and record the decision, but not change what was
 * requested.
 */
export const InstructionTable = defineEntity({
  name: 'Instruction',
  tableName: 'instruction',
  properties: {
    workspaceId: p.uuid().primary(),
    id: p.uuid().primary(),
    kind: p.enum(INSTRUCTION_KINDS).columnType('text'),
    instructed: p.json<Instructed>().comment('What is countersigned, as it was when it was requested.'),
    status: p.enum(WRITTEN_STATUSES).columnType('text'),
    bankTransactionId: p
      .text()
      .strictNullable()
      .comment('Of a funding: the transfer, as the bank that received it names it.'),
    requestedBy: p.text(),
    decidedBy: p.text().strictNullable(),
    expiresAt: instant(),
    createdAt: instant(),
    updatedAt: instant(),
  },
  indexes: [
    { name: 'instruction_newest', properties: ['workspaceId', 'createdAt', 'id'] },
    { name: 'instruction_newest_by_status', properties: ['workspaceId', 'status', 'createdAt', 'id'] },
  ],
  // Last line of defense: a transfer is booked once, across all workspaces.
  uniques: [
    {
      name: 'instruction_books_transfer_once',
      properties: ['bankTransactionId'],
      where: "status = 'countersigned'",
    },
  ],
  checks: [
    { name: 'instruction_transfer_check', expression: `(kind = 'funding') = (bank_transaction_id is not null)` },
    // Last line of defense: a person cannot decide their own request.
    {
      name: 'instruction_second_person_check',
      expression: `case status when 'requested' then decided_by is null when 'withdrawn' then decided_by is not null and decided_by = requested_by else decided_by is not null and lower(decided_by) <> lower(requested_by) end`,
    },
  ],
});
