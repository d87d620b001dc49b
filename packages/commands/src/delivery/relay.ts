import { setTimeout as pause } from 'node:timers/promises';
import { consumersOf, EVENT_TYPES, eventRoutes } from '@payroll/events';
import type { ServiceName } from '@payroll/kernel';
import { metrics, withSpan } from '@payroll/runtime';
import type { Committed } from '../outbox/event.js';
import { observeOutbox } from '../outbox/observe-outbox.js';
import { Recipient, TIMING, type RecipientOptions } from './recipient.js';

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
