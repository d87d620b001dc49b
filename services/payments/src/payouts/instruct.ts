import { isId, type Origin } from '@payroll/kernel';
import { byKeys, type ServiceParts } from '@payroll/service';
import type { Operation } from '@payroll/subgraph';
import { decideWith, requestPayout, type DecideInstruction, type RequestPayout } from '../commands/instructions.js';
import { payByHand, type SeenPayment } from '../commands/pay-by-hand.js';
import type { Learned } from '../domain/payout.js';
import { instructions, type Instruction, type Payment } from '../store/views.js';
import { learnParties } from './ask-owners.js';

/** Requests a payout by hand or a retry. Whom the money would go to is learned before it is written down. */
export async function instructPayout(parts: ServiceParts, request: RequestPayout, by: Operation): Promise<Instruction> {
  if (isId(request.paymentId)) await learnParties(parts, by.origin.actor.workspaceId, request.paymentId);
  return await parts.commands.run(requestPayout, request, by.origin, by.operationId);
}

/** Decides an instruction. The runner submits the payout that a countersignature begins. */
export async function decideInstruction(
  parts: ServiceParts,
  decision: DecideInstruction,
  by: Operation,
): Promise<Instruction> {
  const learned = decision.edge === 'countersign' ? await learnFor(parts, decision.id, by.origin) : null;
  return await parts.commands.run(decideWith(learned), decision, by.origin, by.operationId);
}

async function learnFor(parts: ServiceParts, id: string, { actor }: Origin): Promise<Learned | null> {
  const { workspaceId } = actor;
  const [instruction] = isId(id) ? (await byKeys(parts.em, instructions)([{ workspaceId, id }])).values() : [];
  const isPayout = instruction?.kind === 'payout' || instruction?.kind === 'retry';
  return isPayout && instruction.paymentId ? await learnParties(parts, workspaceId, instruction.paymentId) : null;
}

/** An admin of the workspace has a pending payment paid now. */
export async function initiatePayout(
  parts: Pick<ServiceParts, 'em' | 'commands' | 'learn'>,
  seen: SeenPayment,
  by: Operation,
): Promise<Payment> {
  const { paymentId } = seen;
  const learned = isId(paymentId) ? await learnParties(parts, by.origin.actor.workspaceId, paymentId) : null;
  return await parts.commands.run(payByHand(learned), seen, by.origin, by.operationId);
}
