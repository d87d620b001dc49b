import type { EntityManager } from '@mikro-orm/postgresql';
import {
  EventFormatError,
  isEventType,
  parseEvent,
  type EventOf,
  type EventService,
  type EventType,
  type KnownEvent,
} from '@payroll/events';
import { DomainError, errorForLog } from '@payroll/kernel';
import { asDomainError } from '@payroll/store';
import { metrics, stepOf } from '@payroll/telemetry';
import type { JsMsg } from 'nats';
import { readArrived, type Arrived } from './arrived.js';
import type { Bus, Log } from '@payroll/bus';
import type { CatchUp } from './catch-up.js';
import { bury } from './dead-letter.js';
import { OwnGeneration } from './generation.js';
import type { Lanes } from './lanes.js';
import { backOffMs } from './pause.js';
import { receiptSubject } from './receipts.js';

/** Failures that are not an outage, after which an event is buried; about 4 s, so before it is published again. */
const MAX_FAILURES = 5;
/** Less than the ack wait: what waited longer in its lane is on its way here again. */
const STALE_MS = 25_000;

/**
 * What to do about each event, by its type; usually `(event) => runner.apply(command, …, event, origin)`, which makes it
 * happen once. A type without a handler is confirmed and forgotten. Throwing `SERVICE_UNAVAILABLE` means "not now", as
 * often as it takes; anything else is tried a few times and then buried.
 */
export type EventHandlers = { readonly [T in EventType]?: (event: EventOf<T>) => Promise<unknown> };

export interface EventConsumerOptions {
  bus: Bus;
  em: EntityManager;
  /** Whose events. */
  publisher: EventService;
  /** Who consumes them. */
  service: EventService;
  handlers: EventHandlers;
  log: Log;
}

/** What becomes of one message: applied and confirmed, handed back for later, or buried and confirmed. */
export class EventApplier {
  /** By event id, in this process: an outage in between does not count. */
  private readonly failures = new Map<string, number>();

  private readonly ownGeneration: OwnGeneration;

  constructor(private readonly options: EventConsumerOptions) {
    this.ownGeneration = new OwnGeneration(options.em);
  }

  enqueue(message: JsMsg, lanes: Lanes, catchUp: CatchUp): void {
    const arrived = readArrived(message);
    const staleAt = performance.now() + STALE_MS;
    catchUp.took(message.seq);
    lanes.add(arrived.workspaceId, async () => {
      if (performance.now() > staleAt) return;
      try {
        if (await this.settleAsStep(message, arrived)) catchUp.finished(message.seq);
      } catch (error) {
        // The connection was closed under it: unconfirmed, it comes again, to whoever consumes then.
        this.options.log.warn(
          { ...this.describe(arrived), error: errorForLog(error) },
          'An event was left unconfirmed',
        );
      }
    });
  }

  private async settleAsStep(message: JsMsg, arrived: Arrived): Promise<boolean> {
    const { requestId, workspaceId, aboutId, traceparent } = arrived;
    const details = { kind: 'consumer', requestId, workspaceId, aboutId } as const;
    return await stepOf(traceparent, `hear ${wordOf(arrived)}`, details, () => this.settle(message, arrived));
  }

  /** False when the message will come again. */
  private async settle(message: JsMsg, arrived: Arrived): Promise<boolean> {
    try {
      if (await this.isOfAnotherHistory(arrived)) return this.drop(message, arrived);
      await this.apply(arrived);
    } catch (error) {
      return await this.failed(message, arrived, asDomainError(error));
    }
    this.options.log.info(this.describe(arrived), 'An event was applied');
    this.count(arrived, 'applied');
    const { occurredAt } = arrived;
    if (occurredAt) metrics.eventDelay.seconds((Date.now() - Date.parse(occurredAt)) / 1000, { type: wordOf(arrived) });
    this.confirm(message, arrived);
    return true;
  }

  private async isOfAnotherHistory({ generation }: Arrived): Promise<boolean> {
    return generation !== null && !(await this.ownGeneration.is(generation));
  }

  /** Without a receipt: if it is due in this history too, its publisher offers it again. */
  private drop(message: JsMsg, arrived: Arrived): true {
    message.ack();
    this.count(arrived, 'dropped');
    this.options.log.warn(this.describe(arrived), 'An event from before a restore of the database was dropped');
    return true;
  }

  private async apply({ type, content }: Arrived): Promise<void> {
    if (!Object.hasOwn(this.options.handlers, type)) return;
    const event = parseEvent(content);
    const handler = this.options.handlers[event.type] as ((event: KnownEvent) => Promise<unknown>) | undefined;
    await handler?.(event);
  }

  /** Only now, with the transaction committed: also for an event that had been applied before. */
  private confirm(message: JsMsg, { id }: Arrived): void {
    const { bus, publisher, service } = this.options;
    message.ack();
    if (id === null) return;
    this.failures.delete(id);
    bus.publish(receiptSubject(publisher, service), { eventId: id });
  }

  private async failed(message: JsMsg, arrived: Arrived, error: unknown): Promise<boolean> {
    const { log } = this.options;
    const about = { ...this.describe(arrived), error: errorForLog(error) };
    if (error instanceof DomainError && error.code === 'SERVICE_UNAVAILABLE') {
      log.warn(about, 'An event cannot be applied at the moment');
      this.count(arrived, 'postponed');
      message.nak(backOffMs(message.info.redeliveryCount, 250, 2_000));
      return false;
    }
    const failures = this.countFailure(arrived);
    if (failures < MAX_FAILURES && !(error instanceof EventFormatError)) {
      log.warn({ ...about, failures }, 'An event failed and is tried again');
      this.count(arrived, 'retried');
      message.nak(backOffMs(failures, 250, 2_000));
      return false;
    }
    return await this.giveUp(message, arrived, error);
  }

  private async giveUp(message: JsMsg, arrived: Arrived, error: unknown): Promise<boolean> {
    const { em, log } = this.options;
    const about = { ...this.describe(arrived), error: errorForLog(error) };
    try {
      await bury(em, arrived, error instanceof Error ? error.message : String(error));
    } catch (burialError) {
      log.warn({ ...about, burialError: errorForLog(burialError) }, 'An event can neither be applied nor buried now');
      message.nak(5_000);
      return false;
    }
    log.error(about, 'An event was buried as a dead letter');
    this.count(arrived, 'buried');
    // Confirmed as well: it is in this service's hands now, and offering it again would only bring it here again.
    this.confirm(message, arrived);
    return true;
  }

  private countFailure({ id }: Arrived): number {
    if (id === null) return MAX_FAILURES;
    const failures = (this.failures.get(id) ?? 0) + 1;
    this.failures.set(id, failures);
    return failures;
  }

  private count(arrived: Arrived, outcome: 'applied' | 'postponed' | 'retried' | 'buried' | 'dropped'): void {
    metrics.eventsApplied.add({ type: wordOf(arrived), outcome });
  }

  private describe({ id, type, requestId }: Arrived): object {
    return { requestId, eventId: id, eventType: type, publisher: this.options.publisher };
  }
}

/** For a metric: a closed word, whatever has arrived. */
function wordOf({ type }: Arrived): string {
  return isEventType(type) ? type : 'unknown';
}
