import { DECIDED_CODES, DomainError, type Origin } from '@payroll/kernel';
import { stepOf, wordsOfCommand } from '@payroll/telemetry';
import type { Command } from './command.js';
import { CommandTransaction, Entangled, type Surroundings, WorkspaceRows } from './command-transaction.js';
import type { Claimed } from './domain-event.js';
import { findOutcome, insteadRefuse, keepOutcome, moveChangeClock, type Operation, type Outcome } from './once.js';
import type { Transaction } from '../sql/transaction.js';

/** A command that somebody asks for. */
export interface Asked {
  command: Command<never, unknown>;
  input: unknown;
  origin: Origin;
  operation: Operation;
  traceparent: string | undefined;
}

export interface Decision {
  came: 'applied' | 'refused' | 'replayed';
  outcome: Outcome;
  events: readonly Claimed[];
}

/** @throws DomainError where the operation id is no good; what the command throws that is no refusal. */
export async function decide(
  transaction: Transaction,
  { command, input, origin, operation }: Asked,
  surroundings: Surroundings,
): Promise<Decision> {
  const [[now], earlier, [begun]] = await Promise.all([
    moveChangeClock(transaction, operation.workspaceId),
    findOutcome(transaction, operation),
    Promise.allSettled([command.begin(new WorkspaceRows(transaction, origin), input as never)]),
  ]);
  await transaction.answered();
  if (earlier) {
    transaction.rollback();
    return { came: 'replayed', outcome: earlier, events: [] };
  }
  try {
    if (begun.status === 'rejected') throw begun.reason;
    const tx = new CommandTransaction(transaction, origin, now!, surroundings);
    const outcome = { kind: 'applied', result: await begun.value(tx) } as const;
    await tx.flush();
    keepOutcome(transaction, operation, outcome, now!);
    await transaction.commit();
    return { came: 'applied', outcome, events: await tx.events() };
  } catch (error) {
    const refused = refusalIn(error);
    if (!refused) throw error;
    const outcome = await insteadRefuse(transaction, operation, refused, now!);
    return { came: outcome === refused ? 'refused' : 'replayed', outcome, events: [] };
  }
}

/**
 * The same for commands of one kind and workspace, in one transaction.
 * @returns in their order; `Entangled` for those that have to be decided after the others.
 * @throws whatever keeps one of them from being decided here; then none is.
 */
export async function decideTogether(
  transaction: Transaction,
  all: readonly Asked[],
  surroundings: Surroundings,
): Promise<(Decision | Error)[]> {
  const named = new Set<string>();
  const [times, earlier, begun] = await Promise.all([
    moveChangeClock(transaction, all[0]!.operation.workspaceId, all.length),
    Promise.allSettled(all.map(({ operation }) => findOutcome(transaction, operation))),
    Promise.allSettled(
      all.map(async ({ command, input, origin, operation }) => {
        const rows = new WorkspaceRows(transaction, origin, named);
        rows.name(`operation ${operation.principalId} ${operation.operationId}`);
        return await command.begin(rows, input as never);
      }),
    ),
  ]);
  await transaction.answered();
  const decided: ((Omit<Decision, 'events'> & { events: () => Promise<readonly Claimed[]> }) | Error)[] = [];
  for (const [place, { command, origin, operation, traceparent }] of all.entries()) {
    const [known, beginning, now] = [earlier[place]!, begun[place]!, times[place]!];
    const tx = new CommandTransaction(transaction, origin, now, surroundings, named);
    if (beginning.status === 'rejected' && beginning.reason instanceof Entangled) decided.push(beginning.reason);
    else if (known.status === 'rejected') decided.push(known.reason as Error);
    else if (known.value) decided.push({ came: 'replayed', outcome: known.value, events: () => Promise.resolve([]) });
    else {
      const outcome = await stepOf(traceparent, wordsOfCommand(command.name), {}, () => outcomeIn(tx, beginning));
      keepOutcome(transaction, operation, outcome, now);
      decided.push({ came: outcome.kind, outcome, events: () => tx.events() });
    }
  }
  await transaction.commit();
  return await Promise.all(
    decided.map(async (each) => (each instanceof Error ? each : { ...each, events: await each.events() })),
  );
}

/** @throws Error also for a refusal after something was written, which only a transaction of its own can take back. */
async function outcomeIn(
  tx: CommandTransaction,
  beginning: PromiseSettledResult<(tx: CommandTransaction) => unknown>,
): Promise<Outcome> {
  try {
    if (beginning.status === 'rejected') throw beginning.reason;
    const result = await beginning.value(tx);
    await tx.flush();
    return { kind: 'applied', result };
  } catch (error) {
    const refused = refusalIn(error);
    if (!refused || tx.hasWritten) throw error;
    return refused;
  }
}

/** Null where nothing was decided: what may pass, or is a mistake of ours, would be told to every retry for 7 days. */
function refusalIn(error: unknown): (Outcome & { kind: 'refused' }) | null {
  if (!(error instanceof DomainError) || !DECIDED_CODES.has(error.code)) return null;
  const { code, message, details } = error;
  return { kind: 'refused', code, message, details };
}
