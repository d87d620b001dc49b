import { defineEntity, p } from '@mikro-orm/core';
import { instant, retentionTrigger, OUTCOME_RETENTION_DAYS } from '@payroll/store';

/** One row per workspace; moving it is a command's first statement, so writes of a workspace commit in clock order. */
export const ChangeClockTable = defineEntity({
  name: 'ChangeClock',
  tableName: 'change_clock',
  properties: { workspaceId: p.uuid().primary(), last: instant() },
});

/**
 * Each decided operation with its outcome, and each applied event, by id. Rows are never deleted, so that a very late retry
 * is not applied twice; retention clears `outcome`, which events do not have.
 */
export const AppliedOperationTable = defineEntity({
  name: 'AppliedOperation',
  tableName: 'applied_operation',
  properties: {
    workspaceId: p.uuid().primary(),
    principalId: p.uuid().primary(),
    operationId: p.uuid().primary(),
    command: p.text(),
    fingerprint: p.text(),
    outcome: p.json<unknown>().strictNullable(),
    appliedAt: instant(),
  },
  indexes: [{ name: 'applied_operation_kept', properties: ['appliedAt'], where: 'outcome is not null' }],
  triggers: [
    retentionTrigger({
      name: 'keeps_outcome',
      on: 'update',
      when: `old.outcome is not null and new.outcome is distinct from old.outcome
        and (new.outcome is not null or old.applied_at > clock_timestamp() - interval '${OUTCOME_RETENTION_DAYS} days')`,
      because: 'an outcome is written once, and answers retries until it expires',
    }),
  ],
});

/** The audit trail. The service's role may insert and read rows, not change them. */
export const AuditEntryTable = defineEntity({
  name: 'AuditEntry',
  tableName: 'audit_entry',
  properties: {
    id: p.uuid().primary(),
    workspaceId: p.uuid(),
    at: instant(),
    actorKind: p.text(),
    principalId: p.uuid(),
    via: p.text(),
    requestId: p.text(),
    action: p.text(),
    subjectId: p.uuid(),
    change: p.json<unknown>(),
  },
  indexes: [
    { name: 'audit_entry_newest', properties: ['workspaceId', 'at', 'id'] },
    { name: 'audit_entry_of_subject', properties: ['workspaceId', 'subjectId', 'at', 'id'] },
    { name: 'audit_entry_of_principal', properties: ['workspaceId', 'principalId', 'at', 'id'] },
  ],
});
