import type { EntityManager } from '@mikro-orm/postgresql';
import { eventRoutes, isEventType } from '@payroll/events';
import { errorForLog, isId, type ServiceName } from '@payroll/kernel';
import type { Claimed, DomainEvent } from '@payroll/store';
import type { Msg } from 'nats';
import { strikeOut, type Receipt } from './outbox-rows.js';
import { Alarm } from './pacing.js';
import type { EventPublisherOptions } from './publisher.js';
import { isSignOfLife, type SignOfLife } from './signs-of-life.js';
import { receiptSubject } from './streams.js';

/** Nobody waits for it: if the process ends meanwhile, some events go out again and change nothing. */
const STRIKE_OUT_EVERY_MS = 100;
const MOST_AT_ONCE = 1_000;

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
  private readonly alarm = new Alarm();
  private readonly stopListening: () => void;

  constructor(private readonly options: ReceiptsOptions) {
    const subject = receiptSubject(options.service, '*');
    this.stopListening = options.bus.subscribe(subject, {}, (message) => this.hear(message));
  }

  /** Called before the events go out, so that no receipt comes too early. */
  expect(events: readonly Claimed[]) {
    const keys = events.flatMap(({ event }) => consumersOf(event).map((consumer) => keyOf(event.id, consumer)));
    const { promise: fulfilled, resolve } = Promise.withResolvers<true>();
    let missing = keys.length;
    const arrive = (): void => {
      missing -= 1;
      if (missing === 0) resolve(true);
    };
    if (missing === 0) resolve(true);
    for (const key of keys) this.waiting.set(key, arrive);
    return {
      fulfilled,
      forget: () => {
        for (const key of keys) this.waiting.delete(key);
      },
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.stopListening();
    this.alarm.ring();
    await this.writing;
  }

  /** The subject names the consumer: NATS lets nobody else publish there. */
  private hear(message: Msg): void {
    const consumer = message.subject.split('.')[2] ?? '';
    const { alive, eventId, history } = readJson(message);
    if (isSignOfLife(alive)) this.options.alive(consumer, alive);
    if (!isId(eventId)) return;
    this.fulfil(keyOf(eventId.toLowerCase(), consumer));
    // A receipt of an older version has no history and confirms nothing: the event is offered again.
    if (typeof history !== 'string') return;
    this.heard.push({ eventId: eventId.toLowerCase(), consumer, history });
    this.writing ??= this.write();
  }

  private fulfil(key: string): void {
    const arrive = this.waiting.get(key);
    // A second receipt of the same event says nothing of the others.
    this.waiting.delete(key);
    arrive?.();
  }

  private async write(): Promise<void> {
    const { em, log } = this.options;
    await this.alarm.sleep(STRIKE_OUT_EVERY_MS);
    while (this.heard.length > 0) {
      const receipts = this.heard.splice(0, MOST_AT_ONCE);
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
