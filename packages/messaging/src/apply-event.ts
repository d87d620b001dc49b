import type { EntityManager } from '@mikro-orm/postgresql';
import type { Bus } from '@payroll/bus';
import type { Log } from '@payroll/process';
import {
  EventFormatError,
  isEventType,
  parseEvent,
  type EventOf,
  type EventType,
  type EventTypeFor,
  type Heard,
} from '@payroll/events';
import { DomainError, errorForLog, type ServiceName } from '@payroll/kernel';
import { asDomainError, isDataFault, type Applied } from '@payroll/store';
import { metrics, stepOf } from '@payroll/telemetry';
import type { JsMsg } from 'nats';
import { readArrived, type Arrived } from './arrived.js';
import type { CatchUp } from './catch-up.js';
import { bury } from './dead-letter.js';
import type { Lanes } from './lanes.js';
import { backOffMs } from './pause.js';
import type { SignsOfLife } from './sign-of-life.js';
import { receiptSubject } from './stream.js';

/** Failures that are not an outage, after which an event is buried or held; about 4 s, so before it is published again. */
const MAX_FAILURES = 5;
/** Less than the ack wait: what waited longer in its lane is on its way here again. */
const STALE_MS = 25_000;

/** Applies one event; usually `(event) => runner.apply(command, …, event, origin)`, which makes it happen once. */
export type EventHandler<T extends EventType = EventType> = (event: Heard<EventOf<T>>) => Promise<Applied>;

/**
 * What a service does about the events that are routed to it: one handler for each, so that a type of which the catalogue says
 * that this service consumes it does not compile without one.
 */
export type EventHandlers<Service extends ServiceName> = { readonly [T in EventTypeFor<Service>]: EventHandler<T> };

export interface EventConsumerOptions {
  bus: Bus;
  em: EntityManager;
  /** Whose events. */
  publisher: ServiceName;
  /** Who consumes them. */
  service: ServiceName;
  /**
   * By type. Throwing `SERVICE_UNAVAILABLE` means "not now", as often as it takes; anything else is tried a few times. Then
   * what is the event's own fault is buried, and what may be a fault of ours is held.
   */
  handlers: { readonly [T in EventType]?: EventHandler<T> };
  log: Log;
}

/**
 * What became of an event. All but `postponed` and `retried` take it from the stream; only `applied` and `buried` confirm it,
 * so that the publisher offers what was `held` again: a newer version of this service may know what to do with it.
 */
type Outcome = 'applied' | 'ignored' | 'dropped' | 'held' | 'buried' | 'postponed' | 'retried';

/** What becomes of one message. */
export class EventApplier {
  /** By event id, in this process: an outage in between does not count. */
  private readonly failures = new Map<string, number>();

  constructor(private readonly options: EventConsumerOptions) {}

  enqueue(message: JsMsg, lanes: Lanes, catchUp: CatchUp, alive: SignsOfLife): void {
    const arrived = readArrived(message);
    const staleAt = performance.now() + STALE_MS;
    catchUp.took(message.seq);
    lanes.add(arrived.workspaceId, async () => {
      if (performance.now() > staleAt) return;
      try {
        const outcome = await this.settleAsStep(message, arrived);
        if (outcome !== 'postponed' && outcome !== 'retried') catchUp.finished(message.seq);
        // If it is due in this history too, its publisher offers it again as soon as it knows which one this is.
        if (outcome === 'dropped') alive.hurry();
        if (message.info.pending === 0) alive.caughtUp();
      } catch (error) {
        // The connection was closed under it: unconfirmed, it comes again, to whoever consumes then.
        this.options.log.warn(
          { ...this.describe(arrived), error: errorForLog(error) },
          'An event was left unconfirmed',
        );
      }
    });
  }

  private async settleAsStep(message: JsMsg, arrived: Arrived): Promise<Outcome> {
    const { requestId, workspaceId, aboutId, traceparent } = arrived;
    const details = { kind: 'consumer', requestId, workspaceId, aboutId } as const;
    return await stepOf(traceparent, `hear ${wordOf(arrived)}`, details, () => this.settle(message, arrived));
  }

  private async settle(message: JsMsg, arrived: Arrived): Promise<Outcome> {
    const outcome = await this.outcomeOf(message, arrived);
    metrics.eventsApplied.add({ type: wordOf(arrived), outcome });
    if (outcome === 'postponed' || outcome === 'retried') return outcome;
    message.ack();
    if (arrived.id !== null) this.failures.delete(arrived.id);
    if (outcome === 'applied' || outcome === 'buried') this.confirm(arrived);
    return outcome;
  }

  private async outcomeOf(message: JsMsg, arrived: Arrived): Promise<Outcome> {
    const { log, handlers } = this.options;
    if (arrived.history === null) return this.drop(arrived);
    if (!isEventType(arrived.type)) {
      log.error(this.describe(arrived), 'An event of a type that this version does not know is held');
      return 'held';
    }
    const handler = handlers[arrived.type] as EventHandler | undefined;
    // Nobody waits for this service to confirm it.
    if (!handler) return 'ignored';
    try {
      const applied = await handler({ ...parseEvent(arrived.content), history: arrived.history });
      if (applied === 'elsewhere') return this.drop(arrived);
    } catch (error) {
      return await this.failed(message, arrived, asDomainError(error));
    }
    log.info(this.describe(arrived), 'An event was applied');
    const { occurredAt } = arrived;
    if (occurredAt) metrics.eventDelay.seconds((Date.now() - Date.parse(occurredAt)) / 1000, { type: arrived.type });
    return 'applied';
  }

  private drop(arrived: Arrived): 'dropped' {
    this.options.log.warn(this.describe(arrived), 'An event of another history of the database was dropped');
    return 'dropped';
  }

  /** Only now, with the transaction committed: also for an event that had been applied before. */
  private confirm({ id, history }: Arrived): void {
    const { bus, publisher, service } = this.options;
    if (id !== null) bus.publish(receiptSubject(publisher, service), { eventId: id, history });
  }

  private async failed(message: JsMsg, arrived: Arrived, error: unknown): Promise<Outcome> {
    const { log } = this.options;
    const about = { ...this.describe(arrived), error: errorForLog(error) };
    if (error instanceof DomainError && error.code === 'SERVICE_UNAVAILABLE') {
      log.warn(about, 'An event cannot be applied at the moment');
      message.nak(backOffMs(message.info.redeliveryCount, 250, 2_000));
      return 'postponed';
    }
    const failures = this.countFailure(arrived);
    if (failures < MAX_FAILURES && !(error instanceof EventFormatError)) {
      log.warn({ ...about, failures }, 'An event failed and is tried again');
      message.nak(backOffMs(failures, 250, 2_000));
      return 'retried';
    }
    if (isOwnFault(error) || arrived.id === null) return await this.bury(message, arrived, error);
    log.error(about, 'An event that this version cannot apply is held');
    return 'held';
  }

  private async bury(message: JsMsg, arrived: Arrived, error: unknown): Promise<Outcome> {
    const { em, log } = this.options;
    const about = { ...this.describe(arrived), error: errorForLog(error) };
    try {
      if (!(await bury(em, arrived, error instanceof Error ? error.message : String(error)))) return this.drop(arrived);
    } catch (burialError) {
      log.warn({ ...about, burialError: errorForLog(burialError) }, 'An event can neither be applied nor buried now');
      message.nak(5_000);
      return 'postponed';
    }
    // Confirmed as well: it is in this service's hands now, and offering it again would only bring it here again.
    log.error(about, 'An event was buried as a dead letter');
    return 'buried';
  }

  private countFailure({ id }: Arrived): number {
    if (id === null) return MAX_FAILURES;
    const failures = (this.failures.get(id) ?? 0) + 1;
    this.failures.set(id, failures);
    return failures;
  }

  private describe({ id, type, requestId }: Arrived): object {
    return { requestId, eventId: id, eventType: type, publisher: this.options.publisher };
  }
}

/**
 * The command refuses it, or Postgres its values: trying again changes nothing. A form that cannot be read is none of these:
 * its publisher may be newer than this version.
 */
function isOwnFault(error: unknown): boolean {
  return error instanceof DomainError || isDataFault(error);
}

/** For a metric: a closed word, whatever has arrived. */
function wordOf({ type }: Arrived): string {
  return isEventType(type) ? type : 'unknown';
}
