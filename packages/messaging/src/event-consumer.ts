import { errorForLog } from '@payroll/kernel';
import { ConsumerEvents, type ConsumerInfo, type ConsumerMessages, type NatsConnection } from 'nats';
import { EventApplier, type EventConsumerOptions } from './apply-event.js';
import { CatchUp } from './catch-up.js';
import { observeConsumer } from './observe-events.js';
import { Alarm, backOffMs } from './pacing.js';
import { SignsOfLife } from './signs-of-life.js';
import { ensureConsumer, isStreamMissing, streamManager, streamOf } from './streams.js';

const CATCH_UP_POLL_MS = 100;
/** What went well for so long fails for the first time. */
const WELL_MS = 60_000;

/** Applies the events of one publisher through outages and lost streams. Any number of processes may share the work. */
export class EventConsumer implements AsyncDisposable {
  private readonly catchUp = new CatchUp();
  private readonly alarm = new Alarm();
  private readonly applier: EventApplier;
  private readonly running: Promise<void>;
  private readonly listening = new DisposableStack();
  private messages: ConsumerMessages | undefined;
  private stopped = false;

  constructor(private readonly options: EventConsumerOptions) {
    const { bus, publisher, service } = options;
    this.applier = new EventApplier(options, this.catchUp);
    this.listening.use(observeConsumer(bus, publisher, service));
    this.listening.defer(bus.onConnected(() => this.alarm.ring()));
    // NATS may come back without the consumer; a new session creates it again.
    this.listening.defer(bus.onDisconnected(() => void this.messages?.close()));
    this.running = this.run();
  }

  /** Resolves once, when all that was in the stream at start is applied or buried. Later lag is a metric. */
  get ready(): Promise<void> {
    return this.catchUp.done;
  }

  get isReady(): boolean {
    return this.catchUp.isDone;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.stopped = true;
    this.listening.dispose();
    this.alarm.ring();
    void this.messages?.close();
    await this.running;
    await this.applier.idle();
  }

  private async run(): Promise<void> {
    for (let failures = 0; !this.stopped;) {
      const { connection } = this.options.bus;
      const beganAt = performance.now();
      try {
        if (connection) await this.consume(connection);
        failures = 0;
      } catch (error) {
        failures = performance.now() - beganAt > WELL_MS ? 1 : failures + 1;
        this.noteFailure(error, failures);
      }
      if (!this.stopped) await this.alarm.sleep(backOffMs(Math.max(failures, 1), 250, 2_000));
    }
  }

  /** Until the connection, the stream or the consumer is lost. */
  private async consume(connection: NatsConnection): Promise<void> {
    const info = await ensureConsumer(connection, this.options);
    this.catchUp.begin(info);
    using alive = new SignsOfLife({ ...this.options, position: () => this.position(connection) });
    // Short pulls: two missed heartbeats reveal a stream that vanished silently.
    const messages = await connection
      .jetstream()
      .consumers.getPullConsumerFor(info)
      .consume({
        max_messages: 64,
        expires: 10_000,
        idle_heartbeat: 2_500,
        abort_on_missing_resource: true,
        // Called at once for all that one read of the socket brings, which may then be applied together.
        callback: (message) => this.applier.enqueue(message, alive),
      });
    this.messages = messages;
    void closeWhenSilent(messages);
    const watch = this.watchCatchUp(connection);
    if (this.stopped || !this.options.bus.connected) void messages.close();
    const error = await messages.closed();
    clearInterval(watch);
    this.messages = undefined;
    if (error) throw error;
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
    if (missing) this.catchUp.finish();
    // The first, then about one a minute.
    if (failures % 30 !== 1) return;
    const about = { stream: streamOf(publisher), failures };
    if (missing) log.info(about, 'Waiting for the publisher to make its stream');
    else log.warn({ ...about, error: errorForLog(error) }, 'The stream cannot be consumed; trying again');
  }
}

/** The server that led the consumer may vanish silently; the client's own pause before it asks again is long. */
async function closeWhenSilent(messages: ConsumerMessages): Promise<void> {
  for await (const { type } of await messages.status()) {
    if (type === ConsumerEvents.HeartbeatsMissed) void messages.close();
  }
}
