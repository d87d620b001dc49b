import { instantOf, newId, peopleOf } from '@payroll/kernel';
import { defineCommand, type CommandTransaction } from '@payroll/store';
import { enteredAmount, enteredText } from '../domain/entered.js';
import {
  EXPIRES_AFTER_DAYS,
  personOfFinance,
  type Instructed,
  type Instruction,
  type PaymentInstructed,
} from '../domain/instruction.js';
import { followPayment } from '../domain/payment.js';
import { InstructionTable } from '../store/instruction-table.js';
import { toInstruction } from '../store/to-instruction.js';
import { findPayment } from './find-payment.js';
import { instructedPayment } from './instructed-payment.js';

export interface RequestFunding {
  /** Decimal string above zero. */
  amount: string;
  currency: string;
  /** How the sender named the transfer. */
  reference: string;
}

export type RequestPayout = Pick<PaymentInstructed, 'kind' | 'paymentId'>;

const MAX_REFERENCE_LENGTH = 140;
const DAY_MS = 86_400_000;

/** Somebody saw money of the business arrive. */
export const requestFunding = defineCommand(
  'funding.request',
  peopleOf('finance'),
  async (tx, input: RequestFunding): Promise<Instruction> => {
    const requestedBy = personOfFinance(tx.origin.actor);
    const amount = enteredAmount(input.amount, input.currency).toJSON();
    const reference = enteredText('reference', input.reference, MAX_REFERENCE_LENGTH);
    return keep(tx, { kind: 'funding', amount, reference }, requestedBy);
  },
);

/** Somebody wants a payment paid by hand. What its state does not allow is refused now, and again when it is decided. */
export const requestPayout = defineCommand(
  'payout.request',
  peopleOf('finance'),
  async (tx, { kind, paymentId }: RequestPayout): Promise<Instruction> => {
    const requestedBy = personOfFinance(tx.origin.actor);
    const payment = await findPayment(tx, paymentId);
    followPayment(payment.status, kind === 'payout' ? 'process' : 'retry');
    return keep(tx, await instructedPayment(tx, kind, payment), requestedBy);
  },
);

function keep(tx: CommandTransaction, instructed: Instructed, requestedBy: string): Instruction {
  const { em, workspaceId, now } = tx;
  const instruction = em.create(InstructionTable, {
    workspaceId,
    id: newId(),
    kind: instructed.kind,
    instructed,
    status: 'requested',
    requestedBy,
    decidedBy: null,
    expiresAt: instantOf(new Date(Date.parse(now) + EXPIRES_AFTER_DAYS * DAY_MS)),
    createdAt: now,
    updatedAt: now,
  });
  em.persist(instruction);
  tx.audit('instruction.requested', instruction.id, { ...instructed, requestedBy });
  return toInstruction(instruction);
}
