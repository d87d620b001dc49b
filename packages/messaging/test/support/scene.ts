import { sql } from 'kysely';
import { startTestNats } from '@payroll/infra/test-server';
import { connectNats, type Bus } from '@payroll/bus';
import { EventConsumer, OutboxRelay, type EventCommand, type EventConsumerOptions } from '@payroll/messaging';
import { openDatabases, type Databases } from './databases.js';
import { memoryLog } from './memory-log.js';
import { runnerOf, see } from './told.js';

export interface Publisher extends AsyncDisposable {
  bus: Bus;
  relay: OutboxRelay;
}

export interface Consumer extends AsyncDisposable {
  bus: Bus;
  consumer: EventConsumer;
}

/** How it applies what it hears. */
interface Hearing extends Partial<Pick<EventConsumerOptions, 'commands' | 'appliedBy'>> {
  command?: EventCommand<'payment.created'>;
}

/** payments, which publishes, and review, which consumes: processes of either can be started and stopped in a test. */
export class Scene implements AsyncDisposable {
  readonly log = memoryLog();

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

  /** The same NATS, with all it holds, beside the database as a backup of this moment would bring it back. */
  async restored(as: string): Promise<Scene> {
    const stack = new AsyncDisposableStack();
    return new Scene(stack.use(await this.databases.restored(as)), this.nats, stack);
  }

  copy(as: string): Promise<void> {
    return this.databases.copy(as);
  }

  switchTo(copy: string): Promise<void> {
    return this.databases.switchTo(copy);
  }

  publisher(): Publisher {
    const stack = new AsyncDisposableStack();
    const bus = stack.use(connectNats({ url: this.nats.urls.payments, name: 'payments', log: this.log }));
    const relay = stack.use(new OutboxRelay({ bus, em: this.payments.em, service: 'payments', log: this.log }));
    return { bus, relay, [Symbol.asyncDispose]: () => stack.disposeAsync() };
  }

  consumer({
    command = see(),
    commands = runnerOf(this.review.em),
    appliedBy = { 'payment.created': command },
  }: Hearing = {}): Consumer {
    const stack = new AsyncDisposableStack();
    const { log } = this;
    const bus = stack.use(connectNats({ url: this.nats.urls.review, name: 'review', log }));
    const parts = { bus, em: this.review.em, publisher: 'payments', service: 'review', log } as const;
    const consumer = stack.use(new EventConsumer({ ...parts, commands, appliedBy }));
    return { bus, consumer, [Symbol.asyncDispose]: () => stack.disposeAsync() };
  }

  /** Nothing stored anywhere, as on the first day. */
  async reset(): Promise<void> {
    for (const { em } of [this.payments, this.review]) {
      await sql`truncate outbox_event, inbox_event, dead_letter, dead_letter_step, seen`.execute(em.getKysely());
    }
    this.log.entries.length = 0;
    await this.nats.process.start();
    await this.nats.wipe();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stack.disposeAsync();
  }
}
