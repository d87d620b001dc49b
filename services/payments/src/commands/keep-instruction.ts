import { daysAfter, newId, enteredText } from '@payroll/kernel';
import type { CommandTransaction } from '@payroll/commands';
import { EXPIRES_AFTER_DAYS, type Instructed } from '../domain/instruction.js';
import { InstructionTable } from '../store/tables.js';
import { toInstruction, type Instruction } from '../store/views.js';

const MAX_REASON_LENGTH = 1_000;

/** Stores a request by one person, which waits for a second one. */
export function keep(tx: CommandTransaction, instructed: Instructed, requestedBy: string): Instruction {
  const instruction = tx.insert(InstructionTable, {
    id: newId(),
    kind: instructed.kind,
    instructed,
    status: 'requested',
    bankTransactionId: instructed.kind === 'funding' ? instructed.bankTransactionId : null,
    requestedBy,
    decidedBy: null,
    expiresAt: daysAfter(tx.now, EXPIRES_AFTER_DAYS),
  });
  tx.audit('instruction.requested', instruction.id, { ...instructed, requestedBy });
  return toInstruction(instruction);
}

export function enteredReason(text: string): string {
  return enteredText('reason', text, MAX_REASON_LENGTH);
}
