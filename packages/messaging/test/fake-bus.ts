import type { Bus } from '@payroll/bus';
import { eventRoutes, isEventType } from '@payroll/events';
import type { DomainEvent } from '@payroll/store';
import { NatsError, type MsgHdrs } from 'nats';
import { streamSettings } from '../src/streams.js';

interface Published {
  subject: string;
  event: DomainEvent;
  history: string;
  traceparent: string;
  msgID: string;
  streamName: string;
}

type Options = { headers: MsgHdrs; msgID: string; expect: { streamName: string } };

/** NATS says so where a stream or a consumer is not there. */
export function missing(code: 10014 | 10059): NatsError {
  return Object.assign(new NatsError('not found', '404'), {
    api_error: { code: 404, err_code: code, description: '' },
  });
}

/** A connection to NATS whose other side is the test: it keeps what is sent, and answers as the test says. */
export class FakeBus {
  connected = true;
  /** By JetStream. */
  readonly published: Published[] = [];
  /** Without being stored. */
  readonly said: { subject: string; body: unknown }[] = [];
  readonly answers = new Map<string, (body: unknown) => Promise<unknown>>();
  /** What JetStream's management was asked. */
  readonly asked: string[] = [];
  hasStream = true;
  isBusy = false;
  streams = {
    info: (): Promise<unknown> => {
      this.asked.push('info');
      if (this.isBusy) return Promise.reject(new NatsError('busy', '500'));
      if (!this.hasStream) return Promise.reject(missing(10059));
      return Promise.resolve({ config: { ...streamSettings('payments'), num_replicas: 1 } });
    },
    add: (): Promise<unknown> => {
      this.asked.push('add');
      this.hasStream = true;
      return Promise.resolve({});
    },
  };
  /** Before an event is taken. */
  take: (event: DomainEvent) => void | Promise<void> = () => undefined;
  private readonly listeners = new Map<string, (message: unknown) => void>();
  private readonly upListeners = new Set<() => void>();

  get asBus(): Bus {
    return this as unknown as Bus;
  }

  get connection() {
    if (!this.connected) return undefined;
    return {
      jetstream: () => ({ publish: (...sent: [string, string, Options]) => this.keep(...sent) }),
      jetstreamManager: () => Promise.resolve({ streams: this.streams }),
    };
  }

  onConnected(listener: () => void): () => void {
    this.upListeners.add(listener);
    if (this.connected) listener();
    return () => this.upListeners.delete(listener);
  }

  reconnect(): void {
    this.connected = true;
    for (const listener of this.upListeners) listener();
  }

  /** How many would be told of a connect. */
  get listening(): number {
    return this.upListeners.size + this.listeners.size;
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
