import { createHash } from 'node:crypto';
import { canonicalJson, DomainError, isId, newId, type Instant, type Origin } from '@payroll/kernel';
import { metrics, step, wordsOfCommand } from '@payroll/telemetry';
import type { EntityManager } from '@mikro-orm/postgresql';
import { claimOperation, keepOutcome, refusal, replay, type Operation, type Outcome } from './applied-operation.js';
import { moveChangeClock } from './change-clock.js';
import { CommandTransaction, type Command } from './command.js';
import { asDomainError } from './database-error.js';
import type { DomainEvent, HeardEvent } from './event.js';
import { enterInbox } from './inbox.js';

export interface CommandRunnerOptions {
  em: EntityManager;
  /**
   * Called after commit with what the command emitted; the answer waits for it (see `messaging`'s receipts). It never
   * rejects: what is committed stays so, and events that do not get out now stay in the outbox.
   */
  committed: (events: readonly DomainEvent[]) => Promise<void>;
}

/** What a transaction came to. `replayed`: it had been applied or refused before. */
interface Decided {
  came: 'applied' | 'refused' | 'replayed';
  events: readonly DomainEvent[];
}

/**
 * What came of an event: applied now, applied before, or held in another history of the database and so not touched.
 */
export type Applied = 'applied' | 'replayed' | 'elsewhere';

/** Rolls back what was begun for an event of another history. */
class Elsewhere extends Error {}

/** Runs commands: locks always in the order change clock, operation or inbox row, resources (ADR 0001). */
export class CommandRunner {
  constructor(private readonly options: CommandRunnerOptions) {}

  /**
   * Runs a command for a caller, once per `operationId`.
   * @throws DomainError what the command refused, now or the first time; `INSUFFICIENT_SCOPE` for who may only read;
   * `SERVICE_UNAVAILABLE` when Postgres is.
   */
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
    const operation: Operation = {
      workspaceId: origin.actor.workspaceId,
      principalId: origin.actor.principalId,
      operationId,
      command: command.name,
      fingerprint: createHash('sha256').update(canonicalJson(input)).digest('base64url'),
    };
    const { outcome, events } = await this.transaction<Decided & { outcome: Outcome }>(command.name, async (em) => {
      const now = await moveChangeClock(em, operation.workspaceId);
      const earlier = await claimOperation(em, operation, now);
      if (earlier) return { came: 'replayed', outcome: earlier, events: [] };
      return await this.decide(em, command, input, origin, operation, now);
    });
    if (events.length > 0) await this.options.committed(events);
    return replay(outcome) as Result;
  }

  /** Runs a command because an event arrived, once per event, in the history of the database that the event is of. */
  async apply<Input>(
    command: Command<Input, unknown>,
    input: Input,
    event: HeardEvent,
    origin: Origin,
  ): Promise<Applied> {
    try {
      const { came, events } = await this.transaction(
        command.name,
        async (em): Promise<Decided & { came: Applied }> => {
          const now = await moveChangeClock(em, event.workspaceId);
          const entry = await enterInbox(em, event, now);
          if (entry === 'elsewhere') throw new Elsewhere();
          if (entry === 'again') return { came: 'replayed', events: [] };
          const tx = new CommandTransaction(em, origin, now);
          await command.handle(tx, input);
          await em.flush();
          return { came: 'applied', events: tx.events };
        },
      );
      // Nobody's answer waits for what an event led to, so neither does the next event.
      if (events.length > 0) void this.options.committed(events);
      return came;
    } catch (error) {
      if (error instanceof Elsewhere) return 'elsewhere';
      throw error;
    }
  }

  private async decide<Input, Result>(
    em: EntityManager,
    command: Command<Input, Result>,
    input: Input,
    origin: Origin,
    operation: Operation,
    now: Instant,
  ): Promise<Decided & { outcome: Outcome }> {
    const tx = new CommandTransaction(em, origin, now);
    let outcome: Outcome;
    try {
      outcome = { kind: 'applied', result: await command.handle(tx, input) };
      await em.flush();
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      // A refusal is kept like a result, so that a late copy of the request cannot apply what was refused.
      em.clear();
      outcome = refusal(error);
      await keepOutcome(em, operation, outcome);
      return { came: 'refused', outcome, events: [] };
    }
    await keepOutcome(em, operation, outcome);
    return { came: 'applied', outcome, events: tx.events };
  }

  private async transaction<T extends Decided>(command: string, work: (em: EntityManager) => Promise<T>): Promise<T> {
    const startedAt = performance.now();
    try {
      const decided = await step(wordsOfCommand(command), {}, () => this.options.em.fork().transactional(work));
      metrics.commands.since(startedAt, { command, outcome: decided.came });
      for (const { type } of decided.events) metrics.eventsCommitted.add({ type });
      return decided;
    } catch (error) {
      metrics.commands.since(startedAt, { command, outcome: error instanceof Elsewhere ? 'elsewhere' : 'failed' });
      throw asDomainError(error);
    }
  }
}
