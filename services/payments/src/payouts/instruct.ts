import type { EntityManager } from '@mikro-orm/postgresql';
import { isId, type Origin } from '@payroll/kernel';
import type { CommandRunner } from '@payroll/store';
import { decide, type DecideInstruction } from '../commands/decide-instruction.js';
import { requestPayout, type RequestPayout } from '../commands/request-instruction.js';
import type { Instruction } from '../domain/instruction.js';
import { instructionsById } from '../queries/instructions-by-id.js';
import { paymentToProcess } from './due-payments.js';
import type { LearnParties } from './learn-parties.js';

export interface InstructParts {
  em: EntityManager;
  commands: CommandRunner;
  learn: LearnParties;
}

/** Somebody asks for a payment to be paid by hand. Whom it would go to is known before it is written down. */
export async function instructPayout(
  parts: InstructParts,
  request: RequestPayout,
  origin: Origin,
  operationId?: string,
): Promise<Instruction> {
  await learnOf(parts, origin.actor.workspaceId, request.paymentId);
  return await parts.commands.run(requestPayout, request, origin, operationId);
}

/** Somebody decides an instruction. The runner submits the payout that a countersignature begins. */
export async function decideInstruction(
  parts: InstructParts,
  decision: DecideInstruction,
  origin: Origin,
  operationId?: string,
): Promise<Instruction> {
  const { workspaceId } = origin.actor;
  if (decision.edge === 'countersign' && isId(decision.id)) {
    const [instruction] = (await instructionsById(parts.em)([{ workspaceId, id: decision.id }])).values();
    if (instruction?.paymentId) await learnOf(parts, workspaceId, instruction.paymentId);
  }
  return await parts.commands.run(decide, decision, origin, operationId);
}

async function learnOf({ em, learn }: InstructParts, workspaceId: string, paymentId: string): Promise<void> {
  const payment = isId(paymentId) ? await paymentToProcess(em, workspaceId, paymentId) : null;
  if (payment) await learn(payment);
}
