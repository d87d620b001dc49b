import {
  DomainError,
  isId,
  unavailable,
  type Actor,
  type Instant,
  type PaymentStatus,
  type Origin,
} from '@payroll/kernel';
import type { ServiceDependencies } from '@payroll/service';
import { computed, columns, read, sql, type TableRow } from '@payroll/store';
import { decideWith, requestPayout, type DecideInstruction, type RequestPayout } from '../commands/instructions.js';
import { payManually, type SeenPayment } from '../commands/pay-manually.js';
import {
  decideInstruction as decide,
  personOfFinance,
  type OrderInstructed,
  type OutcomeInstructed,
} from '../domain/instruction.js';
import { isUnderAlarm, type AskedFirst, type ProviderPayout } from '../domain/payout.js';
import { mayTakeOver } from '../domain/unclaimed-order.js';
import { PayoutAttemptTable, UnclaimedOrderTable } from '../store/money-tables.js';
import { InstructionTable } from '../store/tables.js';
import type { Instruction, Payment } from '../store/views.js';
import { refreshParties } from './refresh-parties.js';
import { orderOf, type PayoutProvider } from './provider.js';

export type InstructDependencies = ServiceDependencies & { provider: PayoutProvider };

/**
 * Requests a payout by hand or a retry. Fetches the newest contract and business data first, since the request
 * freezes the payee.
 */
export async function instructPayout(
  parts: ServiceDependencies,
  request: RequestPayout,
  origin: Origin,
): Promise<Instruction> {
  if (isId(request.paymentId)) await refreshParties(parts, origin.actor.workspaceId, request.paymentId);
  return await parts.commands.run(requestPayout, request, origin);
}

/** Decides an instruction. A countersigned payout is submitted by the background job. */
export async function decideInstruction(
  parts: InstructDependencies,
  decision: DecideInstruction,
  origin: Origin,
): Promise<Instruction> {
  const asked = await askedFor(parts, decision, origin.actor);
  return await parts.commands.run(decideWith(asked), decision, origin);
}

/** Collects the current answers that the decision depends on. */
async function askedFor(
  parts: InstructDependencies,
  { id, edge }: DecideInstruction,
  actor: Actor,
): Promise<AskedFirst> {
  const { workspaceId } = actor;
  const instruction = edge === 'countersign' && isId(id) ? await findInstruction(parts, workspaceId, id) : undefined;
  if (!instruction || !mayCountersign(instruction, actor)) return {};
  const { instructed } = instruction;
  switch (instructed.kind) {
    case 'funding':
    case 'clearing':
      return {};
    case 'payout':
    case 'retry':
      return { learned: await refreshParties(parts, workspaceId, instructed.paymentId) };
    case 'claim':
    case 'dismiss':
      return await askAboutOrder(parts, workspaceId, instructed);
    case 'was_paid':
    case 'never_paid':
      return await askAboutOutcome(parts, workspaceId, instructed);
  }
}

type InstructionRow = TableRow<typeof InstructionTable> & { now: Instant };

async function findInstruction({ em }: InstructDependencies, workspaceId: string, id: string) {
  const [row] = await read(
    em,
    sql`select ${columns(InstructionTable)}, ${computed('now', 'timestamptz', sql`clock_timestamp()`)} from instruction
      where workspace_id = ${workspaceId} and id = ${id}`,
  );
  return row;
}

/**
 * True only for a person who may countersign: the calls that follow change something at the provider. The command
 * reports the reason.
 */
function mayCountersign(instruction: InstructionRow, actor: Actor): boolean {
  try {
    decide(instruction, 'countersign', personOfFinance(actor), instruction.now);
    return true;
  } catch (error) {
    if (error instanceof DomainError) return false;
    throw error;
  }
}

/** How long a request may wait for the provider. */
const ANSWERED_WITHIN_MS = 3_000;

/**
 * For "never paid", the provider permanently declines the key first, so that an order that arrives later pays
 * nothing.
 */
async function askAboutOutcome(
  { em, provider }: InstructDependencies,
  workspaceId: string,
  { kind, paymentId, attempt: number }: OutcomeInstructed,
): Promise<AskedFirst> {
  const [attempt] = await read(
    em,
    sql`select ${columns(PayoutAttemptTable)} from payout_attempt
      where workspace_id = ${workspaceId} and payment_id = ${paymentId} and number = ${number}`,
  );
  if (!attempt || !isUnderAlarm(attempt)) return {};
  const order = orderOf(attempt);
  return await withDeadline((signal) =>
    kind === 'never_paid' ? provider.cancel(order, signal) : provider.lookUp(order, signal),
  );
}

/**
 * For a claim, the same data as for a payout; for a dismissal, the amount that the provider reports as paid. An order that the
 * provider no longer finds is declined permanently, so that it pays nothing later.
 */
async function askAboutOrder(
  parts: InstructDependencies,
  workspaceId: string,
  { orderId, paymentId }: OrderInstructed,
): Promise<AskedFirst> {
  if (paymentId !== null) return { learned: await refreshParties(parts, workspaceId, paymentId) };
  const own = sql`select status from payment where payment.workspace_id = unclaimed_order.workspace_id
    and (payment.source_type, payment.source_id) = (unclaimed_order.source_type, unclaimed_order.source_id)`;
  const [order] = await read(
    parts.em,
    sql`select ${columns(UnclaimedOrderTable)}, ${computed('ownStatus', 'text?', own)} from unclaimed_order
      where workspace_id = ${workspaceId} and id = ${orderId} and status = 'open'`,
  );
  // A dismissal that the command refuses must not decline the order: another payment has taken it over, or will.
  if (!order || (order.ownStatus !== null && mayTakeOver(order.ownStatus as PaymentStatus))) return {};
  return await withDeadline(
    async (signal) =>
      (await parts.provider.lookUp(order, signal)) ?? (await parts.provider.cancel(orderOf(order), signal)),
  );
}

async function withDeadline(ask: (signal: AbortSignal) => Promise<ProviderPayout | null>): Promise<AskedFirst> {
  try {
    return { heard: await ask(AbortSignal.timeout(ANSWERED_WITHIN_MS)) };
  } catch (error) {
    throw unavailable('The payout provider', error);
  }
}

/** Pays a pending payment now, for an admin of the workspace. */
export async function initiatePayout(
  parts: Pick<ServiceDependencies, 'em' | 'commands' | 'learn' | 'deployment'>,
  seen: SeenPayment,
  origin: Origin,
): Promise<Payment> {
  const { paymentId } = seen;
  const learned = isId(paymentId) ? await refreshParties(parts, origin.actor.workspaceId, paymentId) : null;
  return await parts.commands.run(payManually(learned), seen, origin);
}
