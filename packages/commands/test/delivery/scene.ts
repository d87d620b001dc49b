import { answerEvents, type AppliedBy, Bus, type Commands, type EventCommand, OutboxRelay } from '@payroll/commands';
import type { Log } from '@payroll/runtime';
import { startTestNats } from '@payroll/tools/local/test-server';
import { sql, write } from '@payroll/store';
import { openDatabases, type Databases } from './databases.js';
import { runnerOf, see } from './events.js';

export interface Publisher extends AsyncDisposable {
  bus: Bus;
  relay: OutboxRelay;
}

interface Consuming {
  command?: EventCommand<'payment.retried'>;
  commands?: Pick<Commands, 'apply'>;
  appliedBy?: AppliedBy;
}

/** Shorter intervals than the product's. */
export const HASTY = { roundMs: 100, replyWithinMs: 250, leaseSeconds: [0.5] };

interface Entry {
  level: 'info' | 'warn' | 'error';
  details: object;
  message: string;
}

/** Records the log calls of the packages under test. */
class Entries {
  readonly entries: Entry[] = [];

  info(details: object, message: string): void {
    this.entries.push({ level: 'info', details, message });
  }

  warn(details: object, message: string): void {
    this.entries.push({ level: 'warn', details, message });
  }

  error(details: object, message: string): void {
    this.entries.push({ level: 'error', details, message });
  }

  of(level: Entry['level']): string[] {
    return this.entries.filter((entry) => entry.level === level).map(({ message }) => message);
  }
}

/** A publisher (payments) and a consumer (review), whose processes a test can start and stop. */
export class Scene implements AsyncDisposable {
  readonly log = new Entries() as Entries & Log;

  private constructor(
    private readonly databases: Databases,
    readonly nats: Awaited<ReturnType<typeof startTestNats>>,
    private readonly stack: AsyncDisposableStack,
  ) {}

  static async open(name: string): Promise<Scene> {
    const stack = new AsyncDisposableStack();
    const nats = stack.use(await startTestNats());
    const databases = stack.use(await openDatabases(name));
    return new Scene(databases, nats, stack);
  }

  get payments(): Databases['payments'] {
    return this.databases.payments;
  }

  get review(): Databases['review'] {
    return this.databases.review;
  }

  copy(as: string): Promise<void> {
    return this.databases.copy(as);
  }

  switchTo(copy: string): Promise<void> {
    return this.databases.switchTo(copy);
  }

  async bus(user: 'payments' | 'review'): Promise<Bus> {
    const bus = new Bus({ url: this.nats.urls[user], name: user, log: this.log });
    await bus.subscribed();
    return bus;
  }

  async publisher(timing: ConstructorParameters<typeof OutboxRelay>[0]['timing'] = {}): Promise<Publisher> {
    const stack = new AsyncDisposableStack();
    const bus = stack.use(await this.bus('payments'));
    const relay = stack.use(new OutboxRelay({ bus, em: this.payments.em, service: 'payments', log: this.log, timing }));
    return { bus, relay, [Symbol.asyncDispose]: () => stack.disposeAsync() };
  }

  async consumer({
    command = see(),
    commands = runnerOf(this.review.em),
    appliedBy = { 'payment.retried': command },
  }: Consuming = {}): Promise<Bus> {
    const bus = await this.bus('review');
    answerEvents({ bus, em: this.review.em, commands, service: 'review', appliedBy, log: this.log });
    await bus.subscribed();
    return bus;
  }

  /** A process that NATS still counts as a member of the group, but that never answers. */
  async suspendedConsumer(): Promise<Bus> {
    const bus = await this.bus('review');
    // Closing it does not wait for its answers.
    bus.answer('events.*.review', 'review', () => Promise.withResolvers().promise);
    await bus.subscribed();
    return bus;
  }

  /** Empties every table. */
  async reset(): Promise<void> {
    for (const { em } of [this.payments, this.review]) {
      await write(
        em,
        sql`truncate outbox_event, outbox_delivery, applied_operation, dead_letter, dead_letter_step, seen`,
      );
    }
    this.log.entries.length = 0;
    await this.nats.process.start();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stack.disposeAsync();
  }
}
