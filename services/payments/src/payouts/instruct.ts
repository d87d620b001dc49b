import type { EntityManager } from '@mikro-orm/postgresql';
import { isId, type Origin } from '@payroll/kernel';
import type { CommandRunner } from '@payroll/store';
import { decideWith, requestPayout, type DecideInstruction, type RequestPayout } from '../commands/instructions.js';
import type { Instruction } from '../domain/instruction.js';
import type { Learned } from '../domain/payout.js';
import { instructionsById } from '../queries/instructions-by-id.js';
import type { LearnParties } from './ask-owners.js';

export interface InstructParts {
  em: EntityManager;
  commands: CommandRunner;
  learn: LearnParties;
}

/** Requests a payout by hand or a retry. Whom the money would go to is learned before it is written down. */
export async function instructPayout(
  { commands, learn }: InstructParts,
  request: RequestPayout,
  origin: Origin,
  operationId?: string,
): Promise<Instruction> {
  if (isId(request.paymentId)) await learn(origin.actor.workspaceId, request.paymentId);
  return await commands.run(requestPayout, request, origin, operationId);
}

/** Decides an instruction. The runner submits the payout that a countersignature begins. */
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
