import { setTimeout as pause } from 'node:timers/promises';
import type { EntityManager } from '@mikro-orm/postgresql';
import { errorForLog, type ServiceName } from '@payroll/kernel';
import { currentTraceparent, type Log, metrics, withRemoteSpan } from '@payroll/runtime';
import type { Bus } from '../nats/bus.js';
import { whyNoReply } from '../nats/request-reply.js';
import { claimDue, LEASE_SECONDS, markConfirmed, type Delivery } from '../outbox/outbox.js';
import { eventSubject, isReply, type Reply } from './reply.js';

/** Back-pressure: the most deliveries one process has under way to a slow consumer. */
const MAX_UNANSWERED = 128;
/**
 * Tries per event: a queue group picks another member each time. A suspended member may stay in the group while messages
 * flow.
 */
const TRIES = 4;

/** Intervals and time-outs; tests use shorter ones. */
export const TIMING = {
  /** Between two polls of the outbox, and two probes of a consumer that is away. */
  roundMs: 1_000,
  replyWithinMs: 2_000,
  leaseSeconds: LEASE_SECONDS,
};

export interface RecipientOptions {
  bus: Pick<Bus, 'connected' | 'requestOnce'>;
  em: EntityManager;
  /** The publishing service. */
  service: ServiceName;
  log: Log;
  timing: typeof TIMING;
}

/** One consumer of this service's events, as one process asks it. */
export class Recipient implements AsyncDisposable {
  /** By the id of the event. */
  private readonly underWay = new Map<string, Promise<void>>();
  /** Excludes deliveries that timed out: otherwise a suspended process would use up the whole limit. */
  private unanswered = 0;
  /** NATS has reported that the consumer has no subscriber. */
  private isAway = false;
  private isMoreDue = false;
  private readonly confirmed: Delivery['event'][] = [];
  private confirming: Promise<void> | undefined;
  /** Ends the pause between two rounds, or the next one. */
  private alarm = Promise.withResolvers<void>();
  private readonly running: Promise<void>;
  private isStopped = false;

  constructor(
    private readonly consumer: ServiceName,
    private readonly options: RecipientOptions,
  ) {
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
    await this.confirming;
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
    if (reply === 'applied' || reply === 'dead_lettered') this.confirm(delivery.event);
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

  private confirm(event: Delivery['event']): void {
    this.confirmed.push(event);
    this.confirming ??= this.markConfirmed();
  }

  /** Runs one statement at a time; events confirmed while it runs join the next one. */
  private async markConfirmed(): Promise<void> {
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
    this.confirming = undefined;
  }
}
