import { noAnswer, type Bus } from '@payroll/bus';
import { errorForLog, type ServiceName } from '@payroll/kernel';
import type { Log } from '@payroll/process';
import type { Claimed } from '@payroll/store';
import { currentTraceparent, metrics, stepOf } from '@payroll/telemetry';
import { headers } from 'nats';
import { HISTORY_HEADER, TRACEPARENT } from './arrived.js';
import { endOfTurn } from './pacing.js';
import { ensureStream, isNoResponders, streamOf, subjectOf, updateStream } from './streams.js';

const PUBLISH_TIMEOUT_MS = 3_000;
/** A cluster that is still forming refuses replicas. */
const CHANGE_AGAIN_MS = 15_000;

export interface EventPublisherOptions {
  bus: Bus;
  service: ServiceName;
  /** Of the service's stream, default 1. */
  replicas?: number;
  /** Called when the stream was missing and has been created: its content is lost. */
  streamMade: () => Promise<void>;
  log: Log;
}

/** Puts events into the service's own stream, which it creates, and creates again should it disappear. */
export class EventPublisher {
  private stream: Promise<void> | undefined;
  private owesRefill = false;
  /** When a change of the stream that NATS refused is tried again. */
  private changeAt = Infinity;

  constructor(private readonly options: EventPublisherOptions) {}

  /** Returns what could not be published. */
  async publish(claimed: readonly Claimed[]): Promise<Claimed[]> {
    await endOfTurn();
    const failed: Claimed[] = [];
    let firstError: unknown;
    const publishEach = claimed.map(async (one) => {
      try {
        await this.publishOne(one);
        metrics.eventsPublished.add({ outcome: 'published' });
      } catch (error) {
        metrics.eventsPublished.add({ outcome: 'failed' });
        firstError ??= error;
        failed.push(one);
      }
    });
    await Promise.all(publishEach);
    if (failed.length > 0) {
      const { log, service } = this.options;
      const about = { stream: streamOf(service), events: failed.length, error: errorForLog(firstError) };
      log.warn(about, 'Events could not be published; they stay due');
    }
    return failed;
  }

  /** Several callers share one attempt; a failed attempt is forgotten. */
  async ensureStream(): Promise<void> {
    if (performance.now() > this.changeAt) this.doubtStream();
    this.stream ??= this.makeStream();
    const { stream } = this;
    try {
      await stream;
    } catch (error) {
      if (this.stream === stream) this.stream = undefined;
      throw error;
    }
  }

  /** Makes the next use check whether the stream still exists. */
  doubtStream(): void {
    this.stream = undefined;
    this.changeAt = Infinity;
  }

  private async publishOne(claimed: Claimed): Promise<void> {
    await this.ensureStream();
    const { stream } = this;
    try {
      await this.send(claimed);
    } catch (error) {
      if (!isNoResponders(error)) throw error;
      // The stream is gone. The first to notice has it created again, the others wait for that.
      if (this.stream === stream) this.doubtStream();
      await this.ensureStream();
      await this.send(claimed);
    }
  }

  private async send({ event, attempt, history, traceparent }: Claimed): Promise<void> {
    const { bus, service } = this.options;
    const { type, requestId, workspaceId, aboutId } = event;
    const details = { kind: 'producer', requestId, workspaceId, aboutId } as const;
    await stepOf(traceparent, `publish ${type}`, details, async () => {
      if (!bus.connection) throw noAnswer();
      const about = headers();
      about.set(HISTORY_HEADER, history);
      // In a header, so that the event itself is the same with and without tracing.
      const current = currentTraceparent();
      if (current !== undefined) about.set(TRACEPARENT, current);
      await bus.connection.jetstream().publish(subjectOf(service, type), JSON.stringify(event), {
        headers: about,
        // With the history: an event published before a restore may have been confirmed there, and has to arrive again.
        msgID: `${event.id}:${attempt}:${history}`,
        timeout: PUBLISH_TIMEOUT_MS,
        expect: { streamName: streamOf(service) },
      });
    });
  }

  private async makeStream(): Promise<void> {
    const { bus, service, replicas = 1, log, streamMade } = this.options;
    if (!bus.connection) throw noAnswer();
    if (await ensureStream(bus.connection, service, replicas)) {
      log.info({ stream: streamOf(service) }, 'Made the stream');
      this.owesRefill = true;
    } else if (!(await updateStream(bus.connection, { service, replicas, log }))) {
      this.changeAt = performance.now() + CHANGE_AGAIN_MS;
    }
    if (!this.owesRefill) return;
    await streamMade();
    this.owesRefill = false;
  }
}
