import { hash } from 'node:crypto';
import { canonicalJson, DomainError, isDerivedId, isId, newId, requireWhoMay, type Origin } from '@payroll/kernel';
import { currentTraceparent, metrics, step, wordsOfCommand } from '@payroll/telemetry';
import type { Applied, Arrival, Command, Decide } from './command.js';
import { CommandQueue } from './command-queue.js';
import { CommandTransaction, type Surroundings, WorkspaceRows } from './command-transaction.js';
import { asDomainError } from '../database/database-error.js';
import type { Claimed, HeardEvent } from './domain-event.js';
import { enterInbox, moveChangeClock, replay } from './once.js';
import { Transaction } from '../sql/transaction.js';

interface Decided<Came> {
  came: Came;
  events: readonly Claimed[];
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
    // A derived id stands for the request as it was sent. The input also follows from this release's defaults and names, and
    // a retry across a release must not be taken for another request.
    const fingerprint = isDerivedId(operationId) ? '' : hash('sha256', canonicalJson(input), 'base64url');
    const operation = { workspaceId, principalId, operationId, command: name, fingerprint };
    const { came, outcome, events } = await measured([name], () =>
      step(wordsOfCommand(name), {}, () =>
        this.queue.decide({ command, input, origin, operation, traceparent: currentTraceparent() }),
      ),
    );
    // Nobody reads what a runner has led to right after it.
    const delivered = this.deliver(events);
    if (origin.via !== 'runner') await delivered;
    if (outcome.kind === 'refused') origin.noteRecorded?.();
    const result = replay(outcome) as Result;
    if (came === 'replayed') origin.noteReplay?.();
    return result;
  }

  /** Runs a command because an event arrived, once per event, in the history of the database that the event is of. */
  async apply<Input>(
    command: Command<Input, unknown>,
    input: Input,
    event: HeardEvent,
    origin: Origin,
  ): Promise<Applied> {
    const [applied] = await this.applyAll([{ command, input, event, origin }]);
    return applied!;
  }

  /**
   * The same for events of one workspace in one transaction, one after the other: each sees what those before it have
   * written, and is a microsecond later. When it throws, none is applied.
   */
  async applyAll(arrivals: readonly Arrival[]): Promise<readonly Applied[]> {
    for (const { command, origin, input } of arrivals) requireWhoMay(command.who, origin.actor, input as never);
    const names = arrivals.map(({ command }) => command.name);
    const { came, events } = await measured(names, () =>
      step(wordsOfCommand(names[0]!), {}, () => this.inTransaction((transaction) => this.enter(transaction, arrivals))),
    );
    // Not awaited: the next event does not wait for what this one led to.
    void this.deliver(events);
    return came;
  }

  private async enter(transaction: Transaction, arrivals: readonly Arrival[]): Promise<Decided<readonly Applied[]>> {
    const { workspaceId } = arrivals[0]!.event;
    const begin = ({ command, origin, input }: Arrival): Promise<Decide<unknown>> =>
      command.begin(new WorkspaceRows(transaction, origin), input as never);
    const events = arrivals.map(({ event }) => event);
    const [times, entries, [first]] = await Promise.all([
      moveChangeClock(transaction, workspaceId, arrivals.length),
      enterInbox(transaction, workspaceId, events),
      Promise.allSettled([begin(arrivals[0]!)]),
    ]);
    await transaction.answered();
    const txs: CommandTransaction[] = [];
    for (const [n, arrival] of arrivals.entries()) {
      if (entries[n] !== 'applied') continue;
      if (n === 0 && first.status === 'rejected') throw first.reason;
      const decide = n === 0 && first.status === 'fulfilled' ? first.value : await begin(arrival);
      const tx = new CommandTransaction(transaction, arrival.origin, times[n]!, this.options);
      await decide(tx);
      await tx.flush();
      txs.push(tx);
    }
    if (txs.length === 0) transaction.rollback();
    else await transaction.commit();
    return { came: entries, events: (await Promise.all(txs.map((tx) => tx.events()))).flat() };
  }

  /** Those that were claimed; others wait for the poll of the outbox. */
  private async deliver(events: readonly Claimed[]): Promise<void> {
    const claimed = events.filter(({ attempt }) => attempt > 0);
    if (claimed.length > 0) await this.options.relay?.deliver(claimed);
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
