import { defineEntity, p } from '@mikro-orm/core';
import { MILESTONE_STATUSES, PAYMENT_STATUSES, TIMESHEET_STATUSES } from '@payroll/kernel';
import { exactNumber, instant } from '@payroll/store';
import { type Entry, SIDES } from '../domain/own-work.js';

/** The contract terms used to calculate amounts, from the newest event of each contract. */
export const ContractTermsTable = defineEntity({
  name: 'ContractTerms',
  tableName: 'contract_terms',
  properties: {
    workspaceId: p.uuid().primary(),
    contractId: p.uuid().primary(),
    revision: p.integer(),
    status: p.text(),
    currency: p.text(),
    rate: exactNumber().strictNullable(),
    paymentDueDays: p.integer(),
    autoPayEnabled: p.boolean(),
    timesheetApprovalRequired: p.boolean(),
    autoApproveAfterDays: p.integer().strictNullable(),
    deleted: p.boolean(),
    workerId: p
      .uuid()
      .strictNullable()
      .comment('Whose work it is; null while no event and no answer has named the worker.'),
  },
});

export const TimesheetTable = defineEntity({
  name: 'Timesheet',
  tableName: 'timesheet',
  properties: {
    workspaceId: p.uuid().primary(),
    id: p.uuid().primary(),
    contractId: p.uuid(),
    revision: p.integer(),
    status: p.enum(TIMESHEET_STATUSES).columnType('text'),
    periodStart: p.date(),
    periodEnd: p.date(),
    unitsWorked: exactNumber(),
    entries: p.json<Entry[]>().strictNullable().comment('By day, where it was entered so; unitsWorked is their sum.'),
    submittedBy: p
      .enum(SIDES)
      .columnType('text')
      .strictNullable()
      .comment('The side of the contract that entered it; null for the application and the sandbox.'),
    currency: p.text(),
    rate: exactNumber(),
    total: exactNumber(),
    paymentScheduledDate: p.date(),
    autoPayEnabled: p.boolean(),
    rejectionReason: p.text().strictNullable(),
    paymentId: p.uuid().strictNullable(),
    paymentStatus: p.enum(PAYMENT_STATUSES).columnType('text').strictNullable(),
    paymentSequence: p.integer().comment('Of the newest payment event seen; older ones are ignored.'),
    submittedAt: instant(),
    daysAhead: p
      .integer()
      .default(0)
      .comment('Of a test workspace’s calendar when it was handed in: they count for nothing.'),
    approveAt: instant()
      .strictNullable()
      .comment('When a rule of the contract approves it, should nobody have decided before; null unless submitted.'),
    createdAt: instant(),
    updatedAt: instant(),
  },
  indexes: [
    { name: 'timesheet_newest', properties: ['workspaceId', 'createdAt', 'id'] },
    { name: 'timesheet_changed', properties: ['workspaceId', 'updatedAt', 'id'] },
    { name: 'timesheet_newest_by_status', properties: ['workspaceId', 'status', 'createdAt', 'id'] },
    { name: 'timesheet_changed_by_status', properties: ['workspaceId', 'status', 'updatedAt', 'id'] },
    { name: 'timesheet_newest_by_contract', properties: ['workspaceId', 'contractId', 'createdAt', 'id'] },
    { name: 'timesheet_changed_by_contract', properties: ['workspaceId', 'contractId', 'updatedAt', 'id'] },
    { name: 'timesheet_due_for_approval', properties: ['approveAt', 'id'], where: 'approve_at is not null' },
    // For workspaces with an advanced calendar: ordered by the day that their own calendar will show.
    {
      name: 'timesheet_due_in_workspace',
      expression: (columns, table, name) =>
        `create index "${name}" on ${table.toString()} (${columns.workspaceId}, ((${columns.approveAt} at time zone 'UTC') + ${columns.daysAhead} * interval '1 day')) where ${columns.approveAt} is not null`,
    },
    // Read only by the metric, across workspaces.
    { name: 'timesheet_payment_pending', properties: ['paymentId'], where: "payment_status = 'pending'" },
    { name: 'timesheet_waiting', properties: ['workspaceId', 'submittedAt', 'id'], where: "status = 'submitted'" },
  ],
});

export const MilestoneTable = defineEntity({
  name: 'Milestone',
  tableName: 'milestone',
  properties: {
    workspaceId: p.uuid().primary(),
    id: p.uuid().primary(),
    contractId: p.uuid(),
    revision: p.integer(),
    title: p.text(),
    description: p.text().strictNullable(),
    status: p.enum(MILESTONE_STATUSES).columnType('text'),
    currency: p.text(),
    amount: exactNumber(),
    dueDate: p.date().strictNullable(),
    paymentDate: p.date().strictNullable(),
    note: p.text().strictNullable().comment('What the worker says of it.'),
    rejectionReason: p.text().strictNullable(),
    paymentId: p.uuid().strictNullable(),
    paymentSequence: p.integer().comment('Of the newest payment event seen; older ones are ignored.'),
    sortOrder: p.integer(),
    draftRevision: p.integer().comment('How often contracts had agreed on it anew when it was taken over.'),
    createdAt: instant(),
    updatedAt: instant(),
  },
  indexes: [
    { name: 'milestone_newest_by_contract', properties: ['workspaceId', 'contractId', 'createdAt', 'id'] },
    {
      name: 'milestone_newest_by_contract_and_status',
      properties: ['workspaceId', 'contractId', 'status', 'createdAt', 'id'],
    },
    { name: 'milestone_payment_pending', properties: ['paymentId'], where: "status = 'approved'" },
    // `updatedAt` of a submitted milestone is its submission time: only a decision changes it afterwards.
    { name: 'milestone_waiting', properties: ['workspaceId', 'updatedAt', 'id'], where: "status = 'submitted'" },
  ],
});

/** A timesheet that its worker has not submitted yet, as it was typed. Only that worker sees it. */
export const TimesheetDraftTable = defineEntity({
  name: 'TimesheetDraft',
  tableName: 'timesheet_draft',
  properties: {
    workspaceId: p.uuid().primary(),
    principalId: p.uuid().primary().comment('The access of the worker, or the membership of a member, who typed it.'),
    contractId: p.uuid().primary(),
    firstDay: p.date().primary(),
    fields: p.text().comment('As JSON, exactly as the form was kept.'),
    savedAt: instant(),
  },
  indexes: [{ name: 'timesheet_draft_saved', properties: ['savedAt'] }],
});
