import type { EntityManager } from '@mikro-orm/postgresql';
import { eventRoutes, isEventType } from '@payroll/events';
import { errorForLog, isId, type ServiceName } from '@payroll/kernel';
import type { DomainEvent } from '@payroll/store';
import type { Msg } from 'nats';
import { strikeOut, type Receipt } from './outbox-rows.js';
import type { EventPublisherOptions } from './publisher.js';
import { isSignOfLife, type SignOfLife } from './signs-of-life.js';
import { receiptSubject } from './streams.js';

interface ReceiptsOptions extends Pick<EventPublisherOptions, 'bus' | 'service' | 'log'> {
  em: EntityManager;
  /** Called with a consumer's signs of life, which use the same subject. */
  alive: (consumer: string, sign: SignOfLife) => void;
}

/** Strikes receipts out in the outbox. Every process receives all of them, as any may have somebody waiting. */
export class Receipts implements AsyncDisposable {
  /** By `<event id> <consumer>`. */
  private readonly waiting = new Map<string, () => void>();
  private readonly heard: Receipt[] = [];
  private writing: Promise<void> | undefined;
  private readonly stopListening: () => void;

  constructor(private readonly options: ReceiptsOptions) {
    const subject = receiptSubject(options.service, '*');
    this.stopListening = options.bus.subscribe(subject, {}, (message) => this.hear(message));
  }

  /** Called before the events go out, so that no receipt comes too early. */
  expect(events: readonly DomainEvent[]) {
    const keys = events.flatMap((event) => consumersOf(event).map((consumer) => keyOf(event.id, consumer)));
    const arrivals = keys.map((key) => new Promise<void>((resolve) => this.waiting.set(key, resolve)));
    return {
      fulfilled: Promise.all(arrivals),
      forget: () => {
        for (const key of keys) this.waiting.delete(key);
      },
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.stopListening();
    await this.writing;
  }

  /** The subject names the consumer: NATS lets nobody else publish there. */
  private hear(message: Msg): void {
    const consumer = message.subject.split('.')[2] ?? '';
    const { alive, eventId, history } = readJson(message);
    if (isSignOfLife(alive)) this.options.alive(consumer, alive);
    if (!isId(eventId)) return;
    this.waiting.get(keyOf(eventId.toLowerCase(), consumer))?.();
    // A receipt of an older version has no history and confirms nothing: the event is offered again.
    if (typeof history !== 'string') return;
    this.heard.push({ eventId: eventId.toLowerCase(), consumer, history });
    this.writing ??= this.write();
  }

  /** One statement for the receipts of a tick, then one for those that came meanwhile. */
  private async write(): Promise<void> {
    const { em, log } = this.options;
    await new Promise((resolve) => setImmediate(resolve));
    while (this.heard.length > 0) {
      const receipts = this.heard.splice(0, 1_000);
      try {
        await strikeOut(em, receipts);
      } catch (error) {
        const about = { receipts: receipts.length, error: errorForLog(error) };
        log.warn(about, 'Receipts were lost; their events go out again');
      }
    }
    this.writing = undefined;
  }
}

function readJson(message: Msg): Record<string, unknown> {
  try {
    return message.json<Record<string, unknown> | null>() ?? {};
  } catch {
    return {};
  }
}

function consumersOf(event: DomainEvent): readonly ServiceName[] {
  return isEventType(event.type) ? eventRoutes[event.type].consumers : [];
}

function keyOf(eventId: string, consumer: string): string {
  return `${eventId} ${consumer}`;
}
