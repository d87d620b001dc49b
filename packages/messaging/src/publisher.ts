import { headers, type JetStreamClient, type NatsConnection } from 'nats';
import { errorForLog, type ServiceName } from '@payroll/kernel';
import { noAnswer, type Bus } from '@payroll/bus';
import type { Log } from '@payroll/process';
import { currentTraceparent, metrics, stepOf } from '@payroll/telemetry';
import { HISTORY_HEADER, TRACEPARENT } from './arrived.js';
import type { Claimed } from './outbox-rows.js';
import { ensureStream, isNoResponders, streamOf, subjectOf, updateStream } from './stream.js';

const PUBLISH_TIMEOUT_MS = 3_000;

export interface EventPublisherOptions {
  bus: Bus;
  service: ServiceName;
  replicas?: number;
  /** Called when the stream was missing and has been made: what it held is gone. */
  streamMade: () => Promise<void>;
  log: Log;
}

/** Puts events into the service's own stream, which it makes, also again should it disappear. */
export class EventPublisher {
  private stream: Promise<void> | undefined;
  private owesRefill = false;

  constructor(private readonly options: EventPublisherOptions) {}

  /** Gives back what could not be published. */
  async publish(claimed: readonly Claimed[]): Promise<Claimed[]> {
    const failed: Claimed[] = [];
    let firstError: unknown;
    await Promise.all(
      claimed.map(async (one) => {
        try {
          await this.publishOne(one);
          metrics.eventsPublished.add({ outcome: 'published' });
        } catch (error) {
          metrics.eventsPublished.add({ outcome: 'failed' });
          firstError ??= error;
          failed.push(one);
        }
      }),
    );
    if (failed.length > 0) {
      const { log, service } = this.options;
      const about = { stream: streamOf(service), events: failed.length, error: errorForLog(firstError) };
      log.warn(about, 'Events could not be published; they stay due');
    }
    return failed;
  }

  /** Several callers share one attempt; a failed one is not remembered. */
  async ensureStream(): Promise<void> {
    this.stream ??= this.makeStream();
    const { stream } = this;
    try {
      await stream;
    } catch (error) {
      if (this.stream === stream) this.stream = undefined;
      throw error;
    }
  }

  /** The next use looks whether the stream is still there. */
  doubtStream(): void {
    this.stream = undefined;
  }

  private async publishOne(claimed: Claimed): Promise<void> {
    await this.ensureStream();
    const { stream } = this;
    try {
      await this.sendAsStep(claimed);
    } catch (error) {
      if (!isNoResponders(error)) throw error;
      // Nobody takes it: the stream is gone. The first to notice has it made again, the others wait for that.
      if (this.stream === stream) this.doubtStream();
      await this.ensureStream();
      await this.sendAsStep(claimed);
    }
  }

  private async sendAsStep(claimed: Claimed): Promise<void> {
    const { type, requestId, workspaceId, aboutId } = claimed.event;
    const details = { kind: 'producer', requestId, workspaceId, aboutId } as const;
    await stepOf(claimed.traceparent, `publish ${type}`, details, () => this.send(claimed));
  }

  private async send({ event, attempt, history }: Claimed): Promise<void> {
    const { service } = this.options;
    const about = headers();
    about.set(HISTORY_HEADER, history);
    // Beside the event, not in it: what it says is the same whether or not somebody watches.
    const traceparent = currentTraceparent();
    if (traceparent !== undefined) about.set(TRACEPARENT, traceparent);
    await this.jetStream().publish(subjectOf(service, event.type), JSON.stringify(event), {
      headers: about,
      // Published before a restore, it may have been confirmed in a history that is gone: it has to arrive again.
      msgID: `${event.id}:${attempt}:${history}`,
      timeout: PUBLISH_TIMEOUT_MS,
      expect: { streamName: streamOf(service) },
    });
  }

  private async makeStream(): Promise<void> {
    const { bus, service, replicas = 1, log, streamMade } = this.options;
    if (!bus.connection) throw noAnswer();
    if (await ensureStream(bus.connection, service, replicas)) {
      log.info({ stream: streamOf(service) }, 'Made the stream');
      this.owesRefill = true;
    } else await this.updateStream(bus.connection, replicas);
    if (!this.owesRefill) return;
    await streamMade();
    this.owesRefill = false;
  }

  /** What cannot be changed is no reason not to publish. */
  private async updateStream(connection: NatsConnection, replicas: number): Promise<void> {
    const { service, log } = this.options;
    const stream = streamOf(service);
    try {
      const changes = await updateStream(connection, service, replicas);
      if (changes.length > 0) log.info({ stream, changes }, 'Changed the stream');
    } catch (error) {
      log.warn({ stream, replicas, error: errorForLog(error) }, 'The stream could not be changed');
    }
  }

  private jetStream(): JetStreamClient {
    const { connection } = this.options.bus;
    if (!connection) throw noAnswer();
    return connection.jetstream();
  }
}
