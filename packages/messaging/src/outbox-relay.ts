import type { EntityManager } from '@mikro-orm/postgresql';
import type { Claimed, Relay } from '@payroll/store';
import { errorForLog } from '@payroll/kernel';
import { metrics, step } from '@payroll/telemetry';
import { claimAgain, claimNew, giveBack, offerAgain } from './outbox-rows.js';
import { observeOutbox } from './observe-events.js';
import { Alarm } from './pacing.js';
import { EventPublisher, type EventPublisherOptions } from './publisher.js';
import { Receipts } from './receipts.js';
import { IdleConsumers } from './signs-of-life.js';

/** How long an answer waits for the receipts of its events. */
const DELIVER_WITHIN_MS = 1_000;
const POLL_MS = 1_000;
const BATCH = 100;

type OutboxRelayOptions = Omit<EventPublisherOptions, 'streamMade'> & { em: EntityManager };

/** Publishes events until every consumer has confirmed; inboxes absorb what comes twice. Any number may run. */
export class OutboxRelay implements Relay, AsyncDisposable {
  private readonly receipts: Receipts;
  private readonly publisher: EventPublisher;
  private readonly idle = new IdleConsumers();
  private readonly alarm = new Alarm();
  private readonly running: Promise<void>;
  private readonly listening = new DisposableStack();
  private readonly publishing = new Set<Promise<boolean>>();
  private stopped = false;

  constructor(private readonly options: OutboxRelayOptions) {
    this.receipts = new Receipts({
      ...options,
      alive: (consumer, sign) => {
        if (this.idle.hear(consumer, sign)) this.offerAgain();
      },
    });
    this.publisher = new EventPublisher({ ...options, streamMade: () => this.refill() });
    this.listening.use(observeOutbox(options.em));
    this.listening.defer(
      options.bus.onConnected(() => {
        // NATS may have come back with nothing stored.
        this.publisher.doubtStream();
        this.alarm.ring();
      }),
    );
    this.running = this.run();
  }

  get isOpen(): boolean {
    return this.options.bus.connected && !this.stopped;
  }

  /**
   * Publishes events that their commands have claimed, and resolves when all consumers have confirmed those that are
   * awaited, after a second at most. Never rejects: what does not go out is given back to the poll.
   */
  async deliver(events: readonly Claimed[]): Promise<void> {
    if (events.length === 0) return;
    const awaited = events.filter(({ isAwaited }) => isAwaited !== false);
    const expected = this.receipts.expect(awaited);
    const publishing = this.publishFresh(events);
    this.publishing.add(publishing);
    void publishing.finally(() => this.publishing.delete(publishing));
    if (awaited.length === 0) return;
    const confirmed = publishing.then((published) => published && expected.fulfilled);
    const startedAt = performance.now();
    const { promise: late, resolve: giveUp } = Promise.withResolvers<boolean>();
    const timer = setTimeout(giveUp, DELIVER_WITHIN_MS, false).unref();
    const isConfirmed = await step('wait until consumers confirm', {}, () => Promise.race([confirmed, late]));
    clearTimeout(timer);
    metrics.receiptWaits.since(startedAt, { outcome: isConfirmed ? 'confirmed' : 'late' });
    expected.forget();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.stopped = true;
    this.listening.dispose();
    this.alarm.ring();
    await this.running;
    await Promise.all(this.publishing);
    await this.receipts[Symbol.asyncDispose]();
  }

  /** False when there is nothing to wait for. */
  private async publishFresh(events: readonly Claimed[]): Promise<boolean> {
    const { em, log } = this.options;
    try {
      if (this.isOpen) return await this.publish(events);
      await giveBack(em, events);
    } catch (error) {
      log.warn({ events: events.length, error: errorForLog(error) }, 'Events wait until their lease is over');
    }
    return false;
  }

  private async publish(claimed: readonly Claimed[]): Promise<boolean> {
    const failed = await this.publisher.publish(claimed);
    if (failed.length === 0) return true;
    await giveBack(this.options.em, failed);
    return failed.length < claimed.length;
  }

  private async run(): Promise<void> {
    while (!this.stopped) {
      if (this.options.bus.connected) await this.publishDue();
      await this.alarm.sleep(POLL_MS);
    }
  }

  private async publishDue(): Promise<void> {
    const { em, log } = this.options;
    try {
      await this.publisher.ensureStream();
      await this.publishAll(() => claimNew(em, BATCH));
      await this.publishAll(async () => {
        const idle = this.idle.list();
        return idle.length > 0 ? await claimAgain(em, idle, BATCH) : [];
      });
    } catch (error) {
      log.warn({ error: errorForLog(error) }, 'The outbox could not be published; trying again');
    }
  }

  private async publishAll(claim: () => Promise<Claimed[]>): Promise<void> {
    for (let full = true; full && !this.stopped;) {
      const claimed = await claim();
      const published = await this.publish(claimed);
      full = published && claimed.length === BATCH;
    }
  }

  private offerAgain(): void {
    const { log } = this.options;
    log.info({}, 'A consumer is in another history of the database: what it may lack is offered again');
    this.refill().catch((error: unknown) => log.warn({ error: errorForLog(error) }, 'Events wait until they are due'));
  }

  private async refill(): Promise<void> {
    await offerAgain(this.options.em);
    this.alarm.ring();
  }
}
