import type { EntityManager } from '@mikro-orm/postgresql';
import { isId, type Origin } from '@payroll/kernel';
import type { CommandRunner } from '@payroll/store';
import { decideWith, type DecideInstruction } from '../commands/decide-instruction.js';
import { requestPayout, type RequestPayout } from '../commands/request-instruction.js';
import type { Instruction } from '../domain/instruction.js';
import type { Learned } from '../domain/learned.js';
import { instructionsById } from '../queries/instructions-by-id.js';
import type { LearnParties } from './learn-parties.js';

export interface InstructParts {
  em: EntityManager;
  commands: CommandRunner;
  learn: LearnParties;
}

/** Somebody asks for a payment to be paid by hand. Whom it would go to is known before it is written down. */
export async function instructPayout(
  { commands, learn }: InstructParts,
  request: RequestPayout,
  origin: Origin,
  operationId?: string,
): Promise<Instruction> {
  if (isId(request.paymentId)) await learn(origin.actor.workspaceId, request.paymentId);
  return await commands.run(requestPayout, request, origin, operationId);
}

/** Somebody decides an instruction. The runner submits the payout that a countersignature begins. */
export async function decideInstruction(
  parts: InstructParts,
  decision: DecideInstruction,
  origin: Origin,
  operationId?: string,
): Promise<Instruction> {
  const learned = decision.edge === 'countersign' ? await learnFor(parts, decision.id, origin) : null;
  return await parts.commands.run(decideWith(learned), decision, origin, operationId);
}

async function learnFor({ em, learn }: InstructParts, id: string, { actor }: Origin): Promise<Learned | null> {
  const { workspaceId } = actor;
  const [instruction] = isId(id) ? (await instructionsById(em)([{ workspaceId, id }])).values() : [];
  return instruction?.paymentId ? await learn(workspaceId, instruction.paymentId) : null;
}
