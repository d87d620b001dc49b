import { LockMode } from '@mikro-orm/core';
import { canonicalJson, DomainError, isId, notFound, peopleOf, unavailable } from '@payroll/kernel';
import { defineCommand, type Command, type CommandTransaction } from '@payroll/store';
import {
  decideInstruction,
  personOfFinance,
  type Instructed,
  type Instruction,
  type InstructionEdge,
  type PaymentInstructed,
} from '../domain/instruction.js';
import type { Learned } from '../domain/learned.js';
import { InstructionTable } from '../store/instruction-table.js';
import { toInstruction } from '../store/to-instruction.js';
import { beginPayout } from './begin-payout.js';
import { findPayment, type PaymentEntity } from './find-payment.js';
import { fundWorkspace } from './fund-workspace.js';
import { instructedPayment } from './instructed-payment.js';
import { retryPayment } from './retry-payment.js';

export interface DecideInstruction {
  id: string;
  edge: InstructionEdge;
}

/**
 * A person decides an instruction. Countersigned, it is carried out in the same transaction: both happen, or neither. What
 * was learned for it is no part of the input: the same decision, sent again, learns anew.
 */
export function decideWith(learned: Learned | null): Command<DecideInstruction, Instruction> {
  return defineCommand('instruction.decide', peopleOf('finance'), async (tx, { id, edge }: DecideInstruction) => {
    const person = personOfFinance(tx.origin.actor);
    const { em, workspaceId, now } = tx;
    const locked = { lockMode: LockMode.PESSIMISTIC_WRITE } as const;
    const instruction = isId(id) ? await em.findOne(InstructionTable, { workspaceId, id }, locked) : null;
    if (!instruction) throw notFound('The instruction');
    instruction.status = decideInstruction(instruction, edge, person, now);
    Object.assign(instruction, { decidedBy: person, updatedAt: now });
    const { status, requestedBy, instructed } = instruction;
    tx.audit(`instruction.${status}`, id, { requestedBy, decidedBy: person });
    if (edge === 'countersign') await carryOut(tx, id, instructed, learned);
    return toInstruction(instruction);
  });
}

async function carryOut(
  tx: CommandTransaction,
  id: string,
  instructed: Instructed,
  learned: Learned | null,
): Promise<void> {
  switch (instructed.kind) {
    case 'funding':
      await fundWorkspace(tx, { id, ...instructed });
      return;
    case 'payout':
      if (!learned) throw unavailable('What decides over the payment');
      await beginPayout(tx, await findUnchanged(tx, instructed), learned);
      return;
    case 'retry':
      retryPayment(tx, await findUnchanged(tx, instructed));
      return;
  }
}

/** The second person saw what was requested: another amount or another destination is another instruction. */
async function findUnchanged(tx: CommandTransaction, instructed: PaymentInstructed): Promise<PaymentEntity> {
  const payment = await findPayment(tx, instructed.paymentId);
  const asItIs = await instructedPayment(tx, instructed.kind, payment);
  if (canonicalJson(asItIs) === canonicalJson(instructed)) return payment;
  throw new DomainError(
    'INVALID_STATE',
    'The payment or its payee is no longer what was requested: withdraw or decline this and request it anew.',
  );
}
