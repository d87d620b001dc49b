import { ConsumerEvents, type ConsumerInfo, type ConsumerMessages, type NatsConnection } from 'nats';
import { errorForLog } from '@payroll/kernel';
import { EventApplier, type EventConsumerOptions } from './apply-event.js';
import { CatchUp } from './catch-up.js';
import { ensureConsumer } from './durable-consumer.js';
import { Lanes } from './lanes.js';
import { Alarm, backOffMs } from './pause.js';
import { observeConsumer } from './observe-events.js';
import { SignsOfLife } from './sign-of-life.js';
import { isStreamMissing, streamManager, streamOf } from './stream.js';

/** Events of different workspaces that are applied at the same time. Two consumers leave room in a pool of ten. */
const LANES = 4;
const CATCH_UP_POLL_MS = 100;

/**
 * Applies the events of one publisher, for ever: through outages of NATS and Postgres, before the publisher has made its
 * stream, and after a loss of all that NATS stored. Any number of processes may share the work.
 */
export class EventConsumer implements AsyncDisposable {
  private readonly lanes = new Lanes(LANES);
  private readonly catchUp = new CatchUp();
  private readonly alarm = new Alarm();
  private readonly applier: EventApplier;
  private readonly running: Promise<void>;
  private readonly stopListening: () => void;
  private messages: ConsumerMessages | undefined;
  private stopped = false;

  constructor(private readonly options: EventConsumerOptions) {
    this.applier = new EventApplier(options);
    const observed = observeConsumer(options.bus, options.publisher, options.service);
    const listeners = [
      () => observed[Symbol.dispose](),
      options.bus.onConnected(() => this.alarm.ring()),
      // NATS may come back without the consumer: a new session makes sure of it.
      options.bus.onDisconnected(() => void this.messages?.close()),
    ];
    this.stopListening = () => listeners.forEach((stop) => stop());
    this.running = this.run();
  }

  /** Resolves, once and for good, when what was in the stream at start is applied or buried. Later lag is a metric. */
  get ready(): Promise<void> {
    return this.catchUp.done;
  }

  get isReady(): boolean {
    return this.catchUp.isDone;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.stopped = true;
    this.stopListening();
    this.alarm.ring();
    void this.messages?.close();
    await this.running;
    await this.lanes.idle();
  }

  private async run(): Promise<void> {
    for (let failures = 0; !this.stopped;) {
      const { connection } = this.options.bus;
      try {
        if (connection) await this.consume(connection);
        failures = 0;
      } catch (error) {
        this.noteFailure(error, ++failures);
      }
      if (!this.stopped) await this.alarm.sleep(backOffMs(Math.max(failures, 1), 250, 2_000));
    }
  }

  /** Until the connection, the stream or the consumer is lost. */
  private async consume(connection: NatsConnection): Promise<void> {
    const info = await ensureConsumer(connection, this.options);
    this.catchUp.begin(info);
    // Short pulls: a stream that vanished without a word is missed after two heartbeats.
    const messages = await connection
      .jetstream()
      .consumers.getPullConsumerFor(info)
      .consume({ max_messages: 64, expires: 10_000, idle_heartbeat: 2_500, abort_on_missing_resource: true });
    this.messages = messages;
    void closeWhenSilent(messages);
    const watch = this.watchCatchUp(connection);
    using alive = new SignsOfLife({ ...this.options, position: () => this.position(connection) });
    if (this.stopped || !this.options.bus.connected) void messages.close();
    try {
      for await (const message of messages) {
        // Handed back at once rather than after the ack wait: the next process may be waiting for it.
        if (this.stopped) message.nak();
        else this.applier.enqueue(message, this.lanes, this.catchUp, alive);
      }
    } finally {
      clearInterval(watch);
      this.messages = undefined;
    }
  }

  private watchCatchUp(connection: NatsConnection): NodeJS.Timeout {
    const look = async (): Promise<void> => {
      if (this.catchUp.isDone) return clearInterval(timer);
      this.catchUp.observe(await this.position(connection));
    };
    const timer = setInterval(() => void look().catch(() => undefined), CATCH_UP_POLL_MS);
    timer.unref();
    return timer;
  }

  private async position(connection: NatsConnection): Promise<ConsumerInfo> {
    const { publisher, service } = this.options;
    const { consumers } = await streamManager(connection);
    return await consumers.info(streamOf(publisher), service);
  }

  private noteFailure(error: unknown, failures: number): void {
    const { publisher, log } = this.options;
    const missing = isStreamMissing(error);
    if (missing) this.catchUp.nothingToDo();
    // Once, then about once a minute.
    if (failures % 30 !== 1) return;
    const about = { stream: streamOf(publisher), failures };
    if (missing) log.info(about, 'Waiting for the publisher to make its stream');
    else log.warn({ ...about, error: errorForLog(error) }, 'The stream cannot be consumed; trying again');
  }
}

/** The server that led the consumer may be gone without a word to us; the client would ask again only after its own long pause. */
async function closeWhenSilent(messages: ConsumerMessages): Promise<void> {
  for await (const { type } of await messages.status()) {
    if (type === ConsumerEvents.HeartbeatsMissed) void messages.close();
  }
}
