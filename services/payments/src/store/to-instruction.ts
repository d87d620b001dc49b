import { toInstant } from '@payroll/kernel';
import { part } from '@payroll/store';
import type { Instructed, Instruction, InstructionKind, InstructionStatus } from '../domain/instruction.js';

/** A row of the table, by either way of reading it. */
export interface InstructionRow {
  id: string;
  kind: InstructionKind;
  instructed: Instructed;
  status: InstructionStatus;
  requestedBy: string;
  decidedBy: string | null;
  expiresAt: string;
  createdAt: string;
  updatedAt: string;
}

/** Columns of `instruction` under the names of an `InstructionRow`, as of now. */
export const INSTRUCTION_COLUMNS = part`
  instruction.id, instruction.kind, instruction.instructed,
  case when instruction.status = 'requested' and instruction.expires_at <= now() then 'expired' else instruction.status end as status,
  instruction.requested_by as "requestedBy", instruction.decided_by as "decidedBy",
  instruction.expires_at as "expiresAt", instruction.created_at as "createdAt", instruction.updated_at as "updatedAt"`;

export function toInstruction(row: InstructionRow): Instruction {
  const { id, kind, status, instructed, requestedBy, decidedBy } = row;
  const isFunding = instructed.kind === 'funding';
  return {
    ...{ id, kind, status, requestedBy, decidedBy },
    amount: instructed.amount,
    paymentId: isFunding ? null : instructed.paymentId,
    payeeId: isFunding ? null : (instructed.payee?.id ?? null),
    reference: isFunding ? instructed.reference : null,
    requestedAt: toInstant(row.createdAt),
    expiresAt: toInstant(row.expiresAt),
    decidedAt: decidedBy === null ? null : toInstant(row.updatedAt),
  };
}
