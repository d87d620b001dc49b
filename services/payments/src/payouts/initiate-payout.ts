import type { EntityManager } from '@mikro-orm/postgresql';
import { isId, notFound, requireInternal, type Origin } from '@payroll/kernel';
import type { CommandRunner } from '@payroll/store';
import { processPayment } from '../commands/process-payment.js';
import type { Payment } from '../domain/payment.js';
import { paymentToProcess } from './due-payments.js';
import type { LearnParties } from './learn-parties.js';

export interface InitiatePayoutParts {
  em: EntityManager;
  commands: CommandRunner;
  learn: LearnParties;
}

/** Somebody pays a pending payment now: the way of those that do not pay themselves. The runner submits what it begins. */
export async function initiatePayout(
  { em, commands, learn }: InitiatePayoutParts,
  paymentId: string,
  origin: Origin,
  operationId?: string,
): Promise<Payment> {
  requireInternal(origin.actor);
  const payment = isId(paymentId) ? await paymentToProcess(em, origin.actor.workspaceId, paymentId) : null;
  if (!payment) throw notFound('The payment');
  await learn(payment);
  return await commands.run(processPayment, { paymentId }, origin, operationId);
}
