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
import { bury, readArrived, type Arrived } from './arrived.js';
import type { CatchUp } from './catch-up.js';
import { backOffMs, Lanes } from './pacing.js';
import type { ConsumerParts, SignsOfLife } from './signs-of-life.js';
import { receiptSubject } from './streams.js';

/** Events of different workspaces that are applied at the same time. Two consumers leave room in a pool of ten. */
const LANES = 4;
/** Failures, outages aside, after which an event is buried or held: about 4 s, before it is published again. */
const MAX_FAILURES = 5;
/** Less than the ack wait: an event that waited longer in its lane is being delivered again. */
const STALE_MS = 25_000;

/** Applies one event; usually `(event) => runner.apply(command, …, event, origin)`, which applies it exactly once. */
export type EventHandler<T extends EventType = EventType> = (event: Heard<EventOf<T>>) => Promise<Applied>;

/** One handler for each event type that the catalogue routes to the service: a missing one does not compile. */
export type EventHandlers<Service extends ServiceName> = { readonly [T in EventTypeFor<Service>]: EventHandler<T> };

export interface EventConsumerOptions extends ConsumerParts {
  /** `SERVICE_UNAVAILABLE` is retried without limit; else an event at fault is buried, and held if our code may be. */
  handlers: { readonly [T in EventType]?: EventHandler<T> };
}

/** Only `applied` and `buried` are confirmed: `held` is offered again, as a newer version may be able to apply it. */
type Outcome = 'applied' | 'ignored' | 'dropped' | 'held' | 'buried' | 'postponed' | 'retried';

const staysInStream = (outcome: Outcome): boolean => outcome === 'postponed' || outcome === 'retried';

export class EventApplier {
  private readonly lanes = new Lanes(LANES);
  /** By event id, in this process. Outages do not count. */
  private readonly failures = new Map<string, number>();

  constructor(
    private readonly options: EventConsumerOptions,
    private readonly catchUp: CatchUp,
  ) {}

  enqueue(message: JsMsg, alive: SignsOfLife): void {
    const arrived = readArrived(message);
    const staleAt = performance.now() + STALE_MS;
    this.catchUp.took(message.seq);
    this.lanes.add(arrived.workspaceId, async () => {
      if (performance.now() > staleAt) return;
      try {
        const outcome = await this.settle(message, arrived);
        if (!staysInStream(outcome)) this.catchUp.finished(message.seq);
        // If it is due in this history too, the publisher offers it again as soon as it knows this history.
        if (outcome === 'dropped') alive.hurry();
        if (message.info.pending === 0) alive.caughtUp();
      } catch (error) {
        // The connection was closed meanwhile. It is unconfirmed, so it is delivered again to whoever consumes then.
        const about = { ...this.describe(arrived), error: errorForLog(error) };
        this.options.log.warn(about, 'An event was left unconfirmed');
      }
    });
  }

  async idle(): Promise<void> {
    await this.lanes.idle();
  }

  private async settle(message: JsMsg, arrived: Arrived): Promise<Outcome> {
    const { requestId, workspaceId, aboutId, traceparent } = arrived;
    // A closed word for the metric, whatever has arrived.
    const type = isEventType(arrived.type) ? arrived.type : 'unknown';
    const details = { kind: 'consumer', requestId, workspaceId, aboutId } as const;
    return await stepOf(traceparent, `hear ${type}`, details, async () => {
      const outcome = await this.outcomeOf(message, arrived);
      metrics.eventsApplied.add({ type, outcome });
      if (staysInStream(outcome)) return outcome;
      message.ack();
      if (arrived.id !== null) this.failures.delete(arrived.id);
      if (outcome === 'applied' || outcome === 'buried') this.confirm(arrived);
      return outcome;
    });
  }

  private async outcomeOf(message: JsMsg, arrived: Arrived): Promise<Outcome> {
    const { log, handlers } = this.options;
    if (arrived.history === null) return this.drop(arrived);
    if (!isEventType(arrived.type)) {
      log.error(this.describe(arrived), 'An event of a type that this version does not know is held');
      return 'held';
    }
    const handler = handlers[arrived.type] as EventHandler | undefined;
    // Not routed here: no publisher waits for a receipt.
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

  /** After the transaction has committed; also for an event that had been applied before. */
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
    // A retry would not change a refusal or bad values. A form that cannot be read may be a newer publisher's.
    const isOwnFault = error instanceof DomainError || isDataFault(error);
    if (isOwnFault || arrived.id === null) return await this.bury(message, arrived, error);
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
    // Confirmed too: this service has stored it, and offering it again would only bring it back here.
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
