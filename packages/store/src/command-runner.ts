import { hash } from 'node:crypto';
import { canonicalJson, DomainError, isId, newId, requireWhoMay, type Instant, type Origin } from '@payroll/kernel';
import { metrics, step, wordsOfCommand } from '@payroll/telemetry';
import type { EntityManager } from '@mikro-orm/postgresql';
import {
  claimOperation,
  enterInbox,
  keepOutcome,
  moveChangeClock,
  type Operation,
  type Outcome,
  replay,
} from './once.js';
import { type Command, CommandTransaction, type DomainEvent, type HeardEvent } from './command.js';
import { asDomainError } from './database-error.js';

export interface CommandRunnerOptions {
  em: EntityManager;
  /** Called after commit; the answer waits for it. Never rejects: events that do not get out stay in the outbox. */
  committed: (events: readonly DomainEvent[]) => Promise<void>;
}

interface Decided<Came extends string> {
  came: Came;
  events: readonly DomainEvent[];
}

type DecidedOperation = Decided<'applied' | 'refused' | 'replayed'> & { outcome: Outcome };

/** Applied now, applied before, or held in another history of the database and so not touched. */
export type Applied = 'applied' | 'replayed' | 'elsewhere';

/** Rolls back what was begun for an event of another history. */
class Elsewhere extends Error {}

/** Takes the transaction of a command that refused back, with all that it has written. */
class Refused extends Error {
  constructor(
    readonly outcome: Outcome,
    readonly now: Instant,
  ) {
    super('refused');
  }
}

/** Runs commands: locks always in the order change clock, operation or inbox row, resources (ADR 0001). */
export class CommandRunner {
  constructor(private readonly options: CommandRunnerOptions) {}

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
    const { workspaceId, principalId } = origin.actor;
    const fingerprint = hash('sha256', canonicalJson(input), 'base64url');
    const operation = { workspaceId, principalId, operationId, command: command.name, fingerprint };
    const { came, outcome, events } = await this.measured(command.name, () =>
      this.decide(command, input, origin, operation).catch((error: unknown) => {
        if (error instanceof Refused) return this.refuse(operation, error);
        throw error;
      }),
    );
    if (events.length > 0) await this.options.committed(events);
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
    requireWhoMay(command.who, origin.actor, input);
    const { came, events } = await this.measured(command.name, () =>
      this.enter(command, input, event, origin).catch((error: unknown) => {
        if (error instanceof Elsewhere) return { came: 'elsewhere', events: [] } as const;
        throw error;
      }),
    );
    // Not awaited: the next event does not wait for what this one led to.
    if (events.length > 0) void this.options.committed(events);
    return came;
  }

  /** @throws Elsewhere what was begun is rolled back. */
  private enter<Input>(
    command: Command<Input, unknown>,
    input: Input,
    event: HeardEvent,
    origin: Origin,
  ): Promise<Decided<Applied>> {
    return this.transaction(async (em) => {
      const now = await moveChangeClock(em, event.workspaceId);
      const entry = await enterInbox(em, event, now);
      if (entry === 'elsewhere') throw new Elsewhere();
      if (entry === 'again') return { came: 'replayed', events: [] };
      const tx = new CommandTransaction(em, origin, now);
      await command.handle(tx, input);
      await em.flush();
      return { came: 'applied', events: tx.events };
    });
  }

  /** @throws Refused what the command refuses: its transaction is rolled back. */
  private decide<Input, Result>(
    command: Command<Input, Result>,
    input: Input,
    origin: Origin,
    operation: Operation,
  ): Promise<DecidedOperation> {
    return this.transaction(async (em) => {
      const now = await moveChangeClock(em, operation.workspaceId);
      const earlier = await claimOperation(em, operation, now);
      if (earlier) return { came: 'replayed', outcome: earlier, events: [] };
      const tx = new CommandTransaction(em, origin, now);
      const outcome = await handled(command, tx, input);
      await em.flush();
      await keepOutcome(em, operation, outcome);
      return { came: 'applied', outcome, events: tx.events };
    });
  }

  /** Recorded before it is answered: a late copy cannot apply it. If a copy was decided first, its outcome counts. */
  private refuse(operation: Operation, { outcome, now }: Refused): Promise<DecidedOperation> {
    return this.transaction(async (em) => {
      const earlier = await claimOperation(em, operation, now, outcome);
      return earlier ? { came: 'replayed', outcome: earlier, events: [] } : { came: 'refused', outcome, events: [] };
    });
  }

  private async transaction<T>(work: (em: EntityManager) => Promise<T>): Promise<T> {
    try {
      return await this.options.em.fork().transactional(work);
    } catch (error) {
      throw asDomainError(error);
    }
  }

  private async measured<T extends Decided<string>>(command: string, work: () => Promise<T>): Promise<T> {
    const startedAt = performance.now();
    try {
      const decided = await step(wordsOfCommand(command), {}, work);
      metrics.commands.since(startedAt, { command, outcome: decided.came });
      for (const { type } of decided.events) metrics.eventsCommitted.add({ type });
      return decided;
    } catch (error) {
      metrics.commands.since(startedAt, { command, outcome: 'failed' });
      throw error;
    }
  }
}

async function handled<Input, Result>(
  command: Command<Input, Result>,
  tx: CommandTransaction,
  input: Input,
): Promise<Outcome> {
  try {
    return { kind: 'applied', result: await command.handle(tx, input) };
  } catch (error) {
    // That it cannot be decided now decides nothing.
    if (!(error instanceof DomainError) || error.code === 'SERVICE_UNAVAILABLE') throw error;
    const { code, message, details } = error;
    throw new Refused({ kind: 'refused', code, message, details }, tx.now);
  }
}
