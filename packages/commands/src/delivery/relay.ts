import { setTimeout as pause } from 'node:timers/promises';
import type { EntityManager } from '@mikro-orm/postgresql';
import { consumersOf, EVENT_TYPES, eventRoutes } from '@payroll/events';
import { type ServiceName, errorForLog } from '@payroll/kernel';
import { metrics, withSpan, currentTraceparent, type Log, withRemoteSpan } from '@payroll/runtime';
import { type Committed, claimDue, LEASE_SECONDS, markConfirmed, type Delivery } from '../outbox/outbox.js';
import { observeOutbox } from '../outbox/observe-outbox.js';
import type { Bus } from '../nats/bus.js';
import { whyNoReply } from '../nats/request-reply.js';
import { eventSubject, isReply, type Reply } from './consumer.js';

/** How long the answer to a command waits for the consumers of its events. */
const ANSWER_WAITS_MS = 1_000;

interface RelayOptions extends Omit<RecipientOptions, 'timing'> {
  timing?: Partial<typeof TIMING>;
}

/** Delivers a service's events to its consumers until each has confirmed (ADR 02). Any number may run. */
export class OutboxRelay implements AsyncDisposable {
  private readonly recipients: ReadonlyMap<ServiceName, Recipient>;
  private readonly observed: Disposable;

  constructor({ timing, ...options }: RelayOptions) {
    const consumers = consumersOf(options.service);
    const recipientOptions = { ...options, timing: { ...TIMING, ...timing } };
    this.recipients = new Map(consumers.map((each) => [each, new Recipient(each, recipientOptions)]));
    this.observed = observeOutbox(options.em, consumers);
    // Counted from 0, so that alerts see an event that is never published.
    const published = EVENT_TYPES.filter((type) => eventRoutes[type].publisher === options.service);
    for (const type of published) metrics.eventsCommitted.add({ type }, 0);
  }

  /**
   * Delivers events that have just been committed. Resolves when each consumer of an awaited event has replied or is
   * unreachable, or after a second. Never rejects: unconfirmed events stay due.
   */
  async deliver(events: readonly Committed[]): Promise<void> {
    const awaited: Promise<void>[] = [];
    for (const { consumers, isAwaited, ...delivery } of events) {
      const replies = consumers.flatMap((consumer) => this.recipients.get(consumer)?.deliver(delivery) ?? []);
      if (isAwaited) awaited.push(...replies);
    }
    if (awaited.length === 0) return;
    const startedAt = performance.now();
    const late = pause(ANSWER_WAITS_MS, 'late' as const, { ref: false });
    const replied = Promise.all(awaited).then(() => 'replied' as const);
    const outcome = await withSpan('wait until consumers reply', {}, () => Promise.race([replied, late]));
    metrics.deliveryWaits.since(startedAt, { outcome });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.observed[Symbol.dispose]();
    await Promise.all([...this.recipients.values()].map((each) => each[Symbol.asyncDispose]()));
  }
}

/** Back-pressure: the most deliveries one process has under way to a slow consumer. */
const MAX_UNANSWERED = 128;
/**
 * Tries per event: a queue group picks another member each time. A suspended member may stay in the group while messages
 * flow.
 */
const TRIES = 4;

/** Intervals and time-outs; tests use shorter ones. */
const TIMING = {
  /** Between two polls of the outbox, and two probes of a consumer that is away. */
  roundMs: 1_000,
  replyWithinMs: 2_000,
  leaseSeconds: LEASE_SECONDS,
};

interface RecipientOptions {
  bus: Pick<Bus, 'connected' | 'requestOnce'>;
  em: EntityManager;
  /** The publishing service. */
  service: ServiceName;
  log: Log;
  timing: typeof TIMING;
}

/** One consumer of this service's events, as one process asks it. */
class Recipient implements AsyncDisposable {
  /** By the id of the event. */
  private readonly underWay = new Map<string, Promise<void>>();
  /** Excludes deliveries that timed out: otherwise a suspended process would use up the whole limit. */
  private unanswered = 0;
  /** NATS has reported that the consumer has no subscriber. */
  private isAway = false;
  /** More may be due than was claimed last. */
  private isMoreDue = false;
  private readonly confirmations: Confirmations;
  /** Ends the pause between two rounds, or the next one. */
  private alarm = Promise.withResolvers<void>();
  private readonly running: Promise<void>;
  private isStopped = false;

  constructor(
    private readonly consumer: ServiceName,
    private readonly options: RecipientOptions,
  ) {
    this.confirmations = new Confirmations(consumer, options);
    this.running = this.run();
  }

  /**
   * Resolves when the consumer has replied or is unreachable; in that case the event is due again when its lease expires.
   * Never rejects.
   */
  async deliver(delivery: Delivery): Promise<void> {
    const { id } = delivery.event;
    if (!this.mayAsk || this.unanswered >= MAX_UNANSWERED || this.underWay.has(id)) return;
    const asking = this.ask(delivery);
    this.underWay.set(id, asking);
    await asking;
    this.underWay.delete(id);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.isStopped = true;
    this.alarm.resolve();
    await this.running;
    await Promise.all(this.underWay.values());
    await this.confirmations.written;
  }

  /** While NATS is unreachable, its client would buffer requests and send them later. */
  private get mayAsk(): boolean {
    return this.options.bus.connected && !this.isStopped;
  }

  private async run(): Promise<void> {
    while (!this.isStopped) {
      if (this.mayAsk) await this.claim();
      await Promise.race([this.alarm.promise, pause(this.options.timing.roundMs, undefined, { ref: false })]);
      this.alarm = Promise.withResolvers();
    }
  }

  private async claim(): Promise<void> {
    const { em, log, timing } = this.options;
    const limit = this.isAway ? 1 : MAX_UNANSWERED - this.unanswered;
    this.isMoreDue = !this.isAway;
    if (limit <= 0) return;
    try {
      const due = await claimDue(em, this.consumer, { ...timing, limit, except: [...this.underWay.keys()] });
      this.isMoreDue &&= due.length === limit;
      for (const delivery of due) void this.deliver(delivery);
    } catch (error) {
      this.isMoreDue = false;
      log.warn({ consumer: this.consumer, error: errorForLog(error) }, 'Due events could not be read; trying again');
    }
  }

  private async ask(delivery: Delivery): Promise<void> {
    this.unanswered += 1;
    let reply = await this.askOnce(delivery);
    this.unanswered -= 1;
    // Continue at once: one batch per round would limit delivery to 128 events a second.
    if (this.isMoreDue) this.alarm.resolve();
    for (let tries = 1; reply === 'timeout' && tries < TRIES && this.mayAsk; tries++) {
      reply = await this.askOnce(delivery);
    }
    if (reply === 'applied' || reply === 'dead_lettered') this.confirmations.add(delivery.event);
  }

  private async askOnce({ event, traceparent }: Delivery): Promise<Reply | ReturnType<typeof whyNoReply>> {
    const { consumer } = this;
    const { bus, service, timing } = this.options;
    const { type, requestId, workspaceId, aboutId } = event;
    const details = { kind: 'producer', requestId, workspaceId, aboutId } as const;
    const reply = await withRemoteSpan(traceparent, `deliver ${type} to ${consumer}`, details, async () => {
      const body = { ...event, traceparent: currentTraceparent() };
      const answering = bus.requestOnce(eventSubject(service, consumer), body, timing.replyWithinMs);
      return await answering.then((answer) => (isReply(answer) ? answer : 'failed'), whyNoReply);
    });
    metrics.deliveries.add({ consumer, reply });
    if (reply === 'no_responders') this.noteAway(true);
    if (isReply(reply)) this.noteAway(false);
    return reply;
  }

  private noteAway(isAway: boolean): void {
    if (this.isAway === isAway) return;
    this.isAway = isAway;
    const { consumer } = this;
    this.options.log.info({ consumer }, isAway ? 'A consumer is away; its events wait' : 'A consumer is back');
    if (!isAway) this.alarm.resolve();
  }
}

/** Deletes deliveries that the consumer has confirmed: one statement at a time, for all that were confirmed during the one before. */
class Confirmations {
  private readonly confirmed: Delivery['event'][] = [];
  /** Resolves when all are written; undefined while none waits. */
  written: Promise<void> | undefined;

  constructor(
    private readonly consumer: ServiceName,
    private readonly options: Pick<RecipientOptions, 'em' | 'log'>,
  ) {}

  add(event: Delivery['event']): void {
    this.confirmed.push(event);
    this.written ??= this.write();
  }

  private async write(): Promise<void> {
    const { em, log } = this.options;
    while (this.confirmed.length > 0) {
      const events = this.confirmed.splice(0);
      try {
        await markConfirmed(em, this.consumer, events);
      } catch (error) {
        const about = { consumer: this.consumer, events: events.length, error: errorForLog(error) };
        log.warn(about, 'Confirmations were lost; their events are delivered again');
      }
    }
    this.written = undefined;
  }
}
