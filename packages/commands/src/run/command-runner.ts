import { hash } from 'node:crypto';
import { canonicalJson, DomainError, isId, newId, requireWhoMay, systemOrigin, type Origin } from '@payroll/kernel';
import { currentTraceparent, metrics, step, wordsOfCommand } from '@payroll/telemetry';
import type { Command } from './command.js';
import { CommandQueue } from './command-queue.js';
import { CommandTransaction, type Relay, type Surroundings, WorkspaceRows } from './command-transaction.js';
import { as, asDomainError, HISTORY, insertRow, sql } from '@payroll/store';
import type { Emitted, EventInGeneration } from '../outbox/event.js';
import { moveChangeClock, replay } from './once.js';
import { AppliedOperationTable } from './tables.js';
import { Transaction } from './transaction.js';

export type { Relay };

interface Decided<Came> {
  came: Came;
  events: readonly Emitted[];
}

/** Runs commands: locks always in the order change clock, operation or inbox row, resources (ADR 0001). */
export class CommandRunner {
  private readonly queue: CommandQueue;

  constructor(private readonly options: Surroundings) {
    this.queue = new CommandQueue(options);
  }

  /** Once per `operationId`. @throws DomainError the refusal, now or the first time; `SERVICE_UNAVAILABLE`. */
  async run<Input, Result>(
    command: Command<Input, Result>,
    input: Input,
    origin: Origin,
    operationId: string = newId(),
  ): Promise<Result> {
    if (!isId(operationId)) throw new DomainError('INVALID_REQUEST', 'operationId is a UUID.');
    if (origin.actor.scopes.every((scope) => scope === 'read')) {
      throw new DomainError('INSUFFICIENT_SCOPE', 'Whoever may only read changes nothing.');
    }
    requireWhoMay(command.who, origin.actor, input);
    const { name } = command;
    const { workspaceId, principalId } = origin.actor;
    const fingerprint = hash('sha256', canonicalJson(input), 'base64url');
    const operation = { workspaceId, principalId, operationId, command: name, fingerprint };
    const { came, outcome, events } = await measured([name], () =>
      step(wordsOfCommand(name), {}, () =>
        this.queue.decide({ command, input, origin, operation, traceparent: currentTraceparent() }),
      ),
    );
    // Nobody reads what a runner has led to right after it.
    const delivered = this.deliver(events);
    if (origin.via !== 'runner') await delivered;
    const result = replay(outcome) as Result;
    if (came === 'replayed') origin.noteReplay?.();
    return result;
  }

  /** Runs a command because an event arrived, once per event, in the generation of the database that the event is of. */
  async apply<Input>(
    command: Command<Input, unknown>,
    event: EventInGeneration,
  ): Promise<'applied' | 'replayed' | 'other_generation'> {
    const origin = systemOrigin(event.workspaceId, 'event', event.requestId);
    requireWhoMay(command.who, origin.actor, event.body as Input);
    const { came, events } = await measured([command.name], () =>
      step(wordsOfCommand(command.name), {}, () =>
        this.inTransaction((transaction) => this.enter(transaction, command, event, origin)),
      ),
    );
    // Not awaited: the next event does not wait for what this one led to.
    void this.deliver(events);
    return came;
  }

  private async enter<Input>(
    transaction: Transaction,
    command: Command<Input, unknown>,
    event: EventInGeneration,
    origin: Origin,
  ): Promise<Decided<'applied' | 'replayed' | 'other_generation'>> {
    const { workspaceId, principalId } = origin.actor;
    const operation = { workspaceId, principalId, operationId: event.id, command: event.type, fingerprint: '' };
    const [[now], [earlier], [begun]] = await Promise.all([
      moveChangeClock(transaction, workspaceId),
      transaction.read(
        sql`select ${as('generation', 'text', HISTORY)}, ${as(
          'isKnown',
          'boolean',
          sql`exists (select from applied_operation where workspace_id = ${workspaceId}
          and principal_id = ${principalId} and operation_id = ${event.id})`,
        )}`,
      ),
      Promise.allSettled([command.begin(new WorkspaceRows(transaction, origin), event.body as Input)]),
    ]);
    await transaction.answered();
    const isHere = earlier!.generation === event.generation;
    if (!isHere || earlier!.isKnown) {
      transaction.rollback();
      return { came: isHere ? 'replayed' : 'other_generation', events: [] };
    }
    if (begun.status === 'rejected') throw begun.reason;
    const tx = new CommandTransaction(transaction, origin, now!, this.options);
    await begun.value(tx);
    await tx.flush();
    transaction.write(insertRow(AppliedOperationTable, { ...operation, outcome: null, appliedAt: now! }));
    await transaction.commit();
    return { came: 'applied', events: await tx.events() };
  }

  private async deliver(events: readonly Emitted[]): Promise<void> {
    if (events.length > 0) await this.options.relay?.deliver(events);
  }

  private async inTransaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    try {
      return await Transaction.run(this.options.em, work);
    } catch (error) {
      throw asDomainError(error);
    }
  }
}

/** `came` is by command, or of the only one. */
async function measured<T extends Decided<string | readonly string[]>>(
  commands: readonly string[],
  work: () => Promise<T>,
): Promise<T> {
  const startedAt = performance.now();
  const note = (outcomeOf: (place: number) => string): void =>
    commands.forEach((command, place) => metrics.commands.since(startedAt, { command, outcome: outcomeOf(place) }));
  try {
    const decided = await work();
    note((place) => [decided.came].flat()[place]!);
    for (const { event } of decided.events) metrics.eventsCommitted.add({ type: event.type });
    return decided;
  } catch (error) {
    note(() => 'failed');
    throw error;
  }
}
