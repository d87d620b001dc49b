import type { EntityManager } from '@mikro-orm/postgresql';
import {
  DECIDED_CODES,
  DomainError,
  isId,
  isSignedIn,
  newId,
  type Origin,
  authorizeCommand,
  systemOrigin,
  unavailable,
} from '@payroll/kernel';
import { mapDatabaseError } from '@payroll/store';
import { metrics, withSpan, commandSpanName } from '@payroll/runtime';
import type { Committed, EventInGeneration } from '../outbox/outbox.js';
import { type Command, CommandTransaction, WorkspaceReader } from './command.js';
import { Lanes, type TurnOptions } from './lanes.js';
import {
  findEarlier,
  insertOperation,
  isDecidedMeanwhile,
  type Operation,
  operationOf,
  operationOfEvent,
  type Outcome,
  outcomeOf,
  recordRefusal,
  replay,
} from './operations.js';
import { Connection } from './transaction.js';

/** A service answers within 5 s; the statements may take 2 s. */
const COMMAND_WAITS_MS = 2_500;
/** After this the publisher delivers the event again. */
const EVENT_WAITS_MS = 2_000;
/** Reads always find a connection. */
const CONNECTIONS_FOR_READS = 2;

/** Delivers events after their commit. Never rejects: undelivered events stay due in the outbox. */
export interface Relay {
  /** Resolves when those whose event is awaited have confirmed it, or after a second. */
  deliver: (events: readonly Committed[]) => Promise<void>;
}

interface CommandsOptions {
  em: EntityManager;
  /** Without it, events wait for a process that polls the outbox. */
  relay?: Relay;
}

interface CommandResult {
  kind: 'applied' | 'refused' | 'replayed';
  /** Null for an event, which stores no outcome. */
  outcome: Outcome | null;
  events: readonly Committed[];
}

/** Runs commands and applies events: check the policy, first write, decide, second write, deliver (ADR 01). */
export class Commands {
  private readonly lanes: Lanes;

  constructor(private readonly options: CommandsOptions) {
    const { max = 10 } = options.em.config.get('pool') ?? {};
    this.lanes = new Lanes(Math.max(1, max - CONNECTIONS_FOR_READS));
  }

  /** Once per `operationId` of the origin. @throws DomainError the refusal, now or the first time; `SERVICE_UNAVAILABLE`. */
  async run<Input, Result>(command: Command<Input, Result>, input: Input, origin: Origin): Promise<Result> {
    const { operationId = newId() } = origin;
    if (!isId(operationId)) throw new DomainError('INVALID_REQUEST', 'operationId is a UUID.');
    requireWriter(origin);
    authorizeCommand(command.who, origin.actor, input);
    const operation = operationOf(command.name, input, origin.actor, operationId);
    const isJob = origin.via === 'runner';
    const { kind, outcome, events } = await this.turn(command, operation, { withinMs: COMMAND_WAITS_MS, isJob }, () =>
      this.decide(command, input, origin, operation),
    );
    const delivered = this.options.relay?.deliver(events);
    // Background jobs do not wait for replies: their results are not read right away.
    if (!isJob) await delivered;
    if (outcome!.kind === 'refused') origin.onRefusalRecorded?.();
    else if (kind === 'replayed') origin.onReplay?.();
    return replay(outcome!) as Result;
  }

  /**
   * Applies an event once. @throws as `run`, but a refusal is not recorded; `SERVICE_UNAVAILABLE` also for an event of
   * another database generation: it never happened in this one.
   */
  async apply<Input>(command: Command<Input, unknown>, event: EventInGeneration): Promise<'applied' | 'replayed'> {
    const origin = systemOrigin(event.workspaceId, 'event', event.requestId);
    const input = event.body as Input;
    authorizeCommand(command.who, origin.actor, input);
    const operation = operationOfEvent(event, origin.actor);
    const { kind, events } = await this.turn(command, operation, { withinMs: EVENT_WAITS_MS }, () =>
      this.decide(command, input, origin, operation, event.generation),
    );
    // Not awaited: the publisher of this event does not wait for the events that it causes.
    void this.options.relay?.deliver(events);
    return kind as Exclude<typeof kind, 'refused'>;
  }

  /** Runs in one transaction. `generation`: the only database generation in which it may be applied. */
  private async decide<Input>(
    command: Command<Input, unknown>,
    input: Input,
    origin: Origin,
    operation: Operation,
    generation?: string,
  ): Promise<CommandResult> {
    return await Connection.use(this.options.em, async (connection) => {
      const { transaction, sent } = await connection.begin(operation.workspaceId, (reads) => ({
        earlier: reads.select(findEarlier(operation)),
        // May refuse; the refusal applies only if the operation is new.
        found: Promise.resolve(command.find?.(new WorkspaceReader(reads, origin), input)),
      }));
      const [earlier] = await sent.earlier;
      const { generation: here, isKnown, ...kept } = earlier!;
      if (isKnown) {
        // Only the clock has moved, but the commit waits until a standby has all that is older: after a restart Postgres shows
        // transactions that no standby has, and an outcome acknowledged then would be lost with that server. An event is
        // confirmed by a commit of its publisher.
        await (operation.isEvent ? connection.rollback() : connection.commit());
        return { kind: 'replayed', outcome: operation.isEvent ? null : outcomeOf(operation, kept), events: [] };
      }
      if (here !== (generation ?? here))
        throw unavailable('The database', new Error('The event is of another generation.'));
      try {
        const tx = new CommandTransaction(transaction, origin, operation.operationId);
        const result = await command.decide(tx, input, await sent.found);
        transaction.write(insertOperation(operation, { kind: 'applied', result }, tx.now));
        await connection.commit();
        const events = tx.emitted.map((each) => ({ ...each, event: { ...each.event, generation: here } }));
        return { kind: 'applied', outcome: { kind: 'applied', result }, events };
      } catch (error) {
        // Do not record the refusal of an event: it may be applied later, as a dead letter that is put back.
        if (operation.isEvent || !isDecision(error)) throw error;
        await connection.rollback();
        const [recorded] = await connection.writeAlone(recordRefusal(operation, error));
        const outcome = outcomeOf(operation, recorded!);
        return { kind: outcome.kind === 'refused' ? 'refused' : 'replayed', outcome, events: [] };
      }
    });
  }

  /** Waits for the workspace's lane, then decides. */
  private async turn(
    { name }: Pick<Command<never, unknown>, 'name'>,
    { workspaceId }: Operation,
    options: TurnOptions,
    decide: () => Promise<CommandResult>,
  ): Promise<CommandResult> {
    const startedAt = performance.now();
    const count = (outcome: string): void => metrics.commands.since(startedAt, { command: name, outcome });
    try {
      const decision = await withSpan(commandSpanName(name), {}, () =>
        this.lanes.run(workspaceId, options, async () => {
          try {
            return await decide();
          } catch (error) {
            if (isDecidedMeanwhile(error)) return await decide();
            throw error;
          }
        }),
      );
      count(decision.kind);
      for (const { event } of decision.events) metrics.eventsCommitted.add({ type: event.type });
      return decision;
    } catch (error) {
      count('failed');
      throw mapDatabaseError(error);
    }
  }
}

/** Rethrows temporary failures and our own errors without recording them: a retry is decided again. */
function isDecision(error: unknown): error is DomainError {
  return error instanceof DomainError && DECIDED_CODES.has(error.code);
}

/**
 * Keys, connections and tokens need a scope that writes, even if the command requires none. People are limited by the
 * command alone.
 * @throws DomainError `INSUFFICIENT_SCOPE`
 */
function requireWriter({ actor }: Origin): void {
  if (!isSignedIn(actor) && actor.scopes.every((scope) => scope === 'read')) {
    throw new DomainError('INSUFFICIENT_SCOPE', 'Credentials that may only read change nothing.');
  }
}
