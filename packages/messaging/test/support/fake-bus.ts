import type { Bus } from '@payroll/bus';
import { eventRoutes, isEventType } from '@payroll/events';
import type { DomainEvent } from '@payroll/store';
import type { MsgHdrs } from 'nats';
import { streamSettings } from '../../src/streams.js';
import { FakeJetStream } from './fake-jetstream.js';

interface Published {
  subject: string;
  event: DomainEvent;
  history: string;
  traceparent: string;
  msgID: string;
  streamName: string;
}

type Options = { headers: MsgHdrs; msgID: string; expect: { streamName: string } };

/** A connection to NATS whose other side is the test: it keeps what is sent, and answers as the test says. */
export class FakeBus {
  connected = true;
  /** By JetStream. */
  readonly published: Published[] = [];
  /** Without being stored. */
  readonly said: { subject: string; body: unknown }[] = [];
  readonly answers = new Map<string, (body: unknown) => Promise<unknown>>();
  /** It has the stream of payments. */
  readonly jetStream = new FakeJetStream();
  /** Before an event is taken. */
  take: (event: DomainEvent) => void | Promise<void> = () => undefined;
  /** A consumer's session; refused where nobody says otherwise. */
  consume: (options: object) => Promise<unknown> = () => Promise.reject(new Error('not now'));
  private readonly downListeners = new Set<() => void>();
  private readonly listeners = new Map<string, (message: unknown) => void>();
  private readonly upListeners = new Set<() => void>();

  constructor() {
    this.jetStream.stream = { ...streamSettings('payments'), num_replicas: 1 };
  }

  get asBus(): Bus {
    return this as unknown as Bus;
  }

  get connection() {
    if (!this.connected) return undefined;
    return {
      ...this.jetStream.connection,
      jetstream: () => ({
        publish: (...sent: [string, string, Options]) => this.keep(...sent),
        consumers: { getPullConsumerFor: () => ({ consume: (options: object) => this.consume(options) }) },
      }),
    };
  }

  onConnected(listener: () => void): () => void {
    this.upListeners.add(listener);
    if (this.connected) listener();
    return () => this.upListeners.delete(listener);
  }

  onDisconnected(listener: () => void): () => void {
    this.downListeners.add(listener);
    return () => this.downListeners.delete(listener);
  }

  disconnect(): void {
    this.connected = false;
    for (const listener of this.downListeners) listener();
  }

  reconnect(): void {
    this.connected = true;
    for (const listener of this.upListeners) listener();
  }

  /** How many would be told of a connect. */
  get listening(): number {
    return this.upListeners.size + this.downListeners.size + this.listeners.size;
  }

  subscribe(subject: string, _options: object, listener: (message: unknown) => void): () => void {
    this.listeners.set(subject, listener);
    return () => this.listeners.delete(subject);
  }

  answer(subject: string, _queue: string, handler: (body: unknown) => Promise<unknown>): void {
    this.answers.set(subject, handler);
  }

  request(subject: string, body: unknown): Promise<unknown> {
    this.said.push({ subject, body });
    return this.answers.get(subject)!(body);
  }

  publish(subject: string, body: unknown): void {
    this.said.push({ subject, body });
  }

  /** As a consumer of payments says it. */
  hear(consumer: string, content: string | object): void {
    const text = typeof content === 'string' ? content : JSON.stringify(content);
    const message = { subject: `receipts.payments.${consumer}`, json: () => JSON.parse(text) as unknown };
    this.listeners.get('receipts.payments.*')?.(message);
  }

  confirm({ event, history }: Published, consumers = consumersOf(event)): void {
    for (const consumer of consumers) this.hear(consumer, { eventId: event.id, history });
  }

  private async keep(subject: string, text: string, { headers, msgID, expect }: Options): Promise<void> {
    const event = JSON.parse(text) as DomainEvent;
    await this.take(event);
    const [history, traceparent] = [headers.get('Payroll-History'), headers.get('traceparent')];
    this.published.push({ subject, event, history, traceparent, msgID, streamName: expect.streamName });
  }
}

function consumersOf({ type }: DomainEvent): readonly string[] {
  return isEventType(type) ? eventRoutes[type].consumers : [];
}
