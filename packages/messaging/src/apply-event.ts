import { isEventType, parseEvent, type EventType, type EventTypeFor } from '@payroll/events';
import { errorForLog, type ServiceName } from '@payroll/kernel';
import { asDomainError } from '@payroll/store';
import { metrics, stepOf } from '@payroll/telemetry';
import type { JsMsg } from 'nats';
import { readArrived, type Arrived } from './arrived.js';
import type { CatchUp } from './catch-up.js';
import { FailedEvents, type Outcome } from './failed-event.js';
import { endOfTurn, Lanes } from './pacing.js';
import type { ConsumerParts, SignsOfLife } from './signs-of-life.js';
import { receiptSubject } from './streams.js';
import { Turn, type EventCommand, type EventRunner } from './turn.js';

/** Workspaces whose events are applied at the same time. Two consumers leave room in a pool of ten. */
const LANES = 4;
/** Events of a workspace that are applied in one transaction. */
const MOST_TOGETHER = 50;
/** Their transaction keeps all other writes of the workspace waiting: one that takes longer makes the next smaller. */
const HOLD_MS = 100;
/** Less than the ack wait: an event that waited longer for its turn is being delivered again. */
const STALE_MS = 25_000;

/** One command for each event type that the catalogue routes to the service: a missing one does not compile. */
export type EventCommands<Service extends ServiceName> = { readonly [T in EventTypeFor<Service>]: EventCommand<T> };

export interface EventConsumerOptions extends ConsumerParts {
  commands: EventRunner;
  /** `SERVICE_UNAVAILABLE` is retried without limit; else an event at fault is buried, and held if our code may be. */
  appliedBy: { readonly [T in EventType]?: EventCommand<T> };
}

interface Delivery {
  message: JsMsg;
  arrived: Arrived;
  alive: SignsOfLife;
  staleAt: number;
}

const staysInStream = (outcome: Outcome): boolean => outcome === 'postponed' || outcome === 'retried';

/** So many as would have taken `HOLD_MS`; one that was slow alone says nothing of many, and what had come before nothing at all. */
function mostAfter(most: number, fresh: number, tookMs: number): number {
  const inTime = Math.floor((fresh * HOLD_MS) / tookMs);
  return Math.min(Math.max(inTime, fresh < 2 ? most : 1), MOST_TOGETHER);
}

export class EventApplier {
  private readonly lanes = new Lanes<Delivery>({
    count: LANES,
    most: () => this.most,
    work: (deliveries) => this.take(deliveries),
  });
  private most = MOST_TOGETHER;
  private readonly failed: FailedEvents;

  constructor(
    private readonly options: EventConsumerOptions,
    private readonly catchUp: CatchUp,
  ) {
    this.failed = new FailedEvents(options);
  }

  enqueue(message: JsMsg, alive: SignsOfLife): void {
    const arrived = readArrived(message);
    this.catchUp.took(message.seq);
    this.lanes.add(arrived.workspaceId, { message, arrived, alive, staleAt: performance.now() + STALE_MS });
  }

  async idle(): Promise<void> {
    await this.lanes.idle();
  }

  private async take(deliveries: readonly Delivery[]): Promise<void> {
    const startedAt = performance.now();
    const turn = new Turn(this.options);
    const fresh = deliveries.filter(({ staleAt }) => startedAt <= staleAt);
    // Each joins the turn before it first waits.
    const finished = fresh.map((each) => this.finish(each, turn));
    await turn.take();
    await Promise.all(finished);
    this.most = mostAfter(this.most, turn.fresh, performance.now() - startedAt);
  }

  private async finish({ message, arrived, alive }: Delivery, turn: Turn): Promise<void> {
    try {
      const outcome = await this.settle(message, arrived, turn);
      if (!staysInStream(outcome)) this.catchUp.finished(message.seq);
      // If it is due in this history too, the publisher offers it again as soon as it knows this history.
      if (outcome === 'dropped') alive.hurry();
      if (message.info.pending === 0) alive.caughtUp();
    } catch (error) {
      // The connection was closed meanwhile. It is unconfirmed, so it is delivered again to whoever consumes then.
      const about = { ...this.failed.describe(arrived), error: errorForLog(error) };
      this.options.log.warn(about, 'An event was left unconfirmed');
    }
  }

  private async settle(message: JsMsg, arrived: Arrived, turn: Turn): Promise<Outcome> {
    const { requestId, workspaceId, aboutId, traceparent } = arrived;
    // A closed word for the metric, whatever has arrived.
    const type = isEventType(arrived.type) ? arrived.type : 'unknown';
    const details = { kind: 'consumer', requestId, workspaceId, aboutId } as const;
    return await stepOf(traceparent, `hear ${type}`, details, async () => {
      const outcome = await this.outcomeOf(message, arrived, turn);
      metrics.eventsApplied.add({ type, outcome });
      if (staysInStream(outcome)) return outcome;
      await endOfTurn();
      message.ack();
      this.failed.forget(arrived);
      if (outcome === 'applied' || outcome === 'buried') this.confirm(arrived);
      return outcome;
    });
  }

  private async outcomeOf(message: JsMsg, arrived: Arrived, turn: Turn): Promise<Outcome> {
    const { log, appliedBy } = this.options;
    if (arrived.history === null) return this.failed.drop(arrived);
    if (!isEventType(arrived.type)) {
      log.error(this.failed.describe(arrived), 'An event of a type that this version does not know is held');
      return 'held';
    }
    const command = appliedBy[arrived.type] as EventCommand | undefined;
    // Not routed here: no publisher waits for a receipt.
    if (!command) return 'ignored';
    try {
      const applied = await turn.apply(command, { ...parseEvent(arrived.content), history: arrived.history });
      if (applied === 'elsewhere') return this.failed.drop(arrived);
    } catch (error) {
      return await this.failed.outcomeOf(message, arrived, asDomainError(error));
    }
    log.info(this.failed.describe(arrived), 'An event was applied');
    const { occurredAt } = arrived;
    if (occurredAt) metrics.eventDelay.seconds((Date.now() - Date.parse(occurredAt)) / 1000, { type: arrived.type });
    return 'applied';
  }

  /** After the transaction has committed; also for an event that had been applied before. */
  private confirm({ id, history }: Arrived): void {
    const { bus, publisher, service } = this.options;
    if (id !== null) bus.publish(receiptSubject(publisher, service), { eventId: id, history });
  }
}
