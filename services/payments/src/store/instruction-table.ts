import { defineEntity, p } from '@mikro-orm/core';
import { instant } from '@payroll/store';
import { INSTRUCTION_KINDS, WRITTEN_STATUSES, type Instructed } from '../domain/instruction.js';

/**
 * Orders to move money, each with the two persons it takes. The service's role may add rows and write who decided, not
 * change what was asked for.
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
  checks: [
    // The last defence: whatever else goes wrong, nobody decides over their own request.
    {
      name: 'instruction_second_person_check',
      expression: `case status when 'requested' then decided_by is null when 'withdrawn' then decided_by is not null and decided_by = requested_by else decided_by is not null and lower(decided_by) <> lower(requested_by) end`,
    },
  ],
});
