import type { EntityManager } from '@mikro-orm/postgresql';
import { OutboxRelay } from '@payroll/messaging';
import { as, read, sql, type Claimed } from '@payroll/store';
import { vi } from 'vitest';
import { openDatabases, type Databases } from './databases.js';
import { FakeBus } from './fake-bus.js';
import { memoryLog } from './memory-log.js';
import { tell } from './told.js';

/** The outbox of payments, and a relay for it whose other side is the test. */
export class RelayScene implements AsyncDisposable {
  readonly em: EntityManager;
  bus = new FakeBus();
  log = memoryLog();
  relay!: OutboxRelay;

  private constructor(private readonly databases: Databases) {
    this.em = databases.payments.em;
  }

  static async open(name: string): Promise<RelayScene> {
    return new RelayScene(await openDatabases(name));
  }

  /** Nothing is polled for, and nobody gives up, unless the test says that the time has come, or itself polls. */
  async begin(): Promise<void> {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    await this.em.execute('truncate outbox_event');
    this.bus = new FakeBus();
    this.log = memoryLog();
  }

  async end(): Promise<void> {
    await this.relay[Symbol.asyncDispose]();
    vi.useRealTimers();
  }

  /** Has looked at its outbox once, if it can. */
  async start(): Promise<void> {
    const { bus, em, log } = this;
    this.relay = new OutboxRelay({ bus: bus.asBus, em, service: 'payments', log });
    if (bus.connected) await vi.waitUntil(() => bus.jetStream.looks > 0);
  }

  readonly deliver = (events: readonly Claimed[]): Promise<void> => this.relay.deliver(events);

  /** For whose receipt nobody waits. */
  async tellUnawaited(sequence: number): Promise<void> {
    await tell(this.em, sequence, (all) => this.deliver(all.map((each) => ({ ...each, isAwaited: false }))));
  }

  /** Of what was published. */
  get sequences(): unknown[] {
    return this.bus.published.map(({ event }) => (event.body as { sequence: number }).sequence);
  }

  async rows() {
    return await read(
      this.em,
      sql`select ${as('attempt', 'int', sql`attempt`)},
          ${as('dueIn', 'int?', sql`round(extract(epoch from due_at - clock_timestamp()))`)}
        from outbox_event order by recorded_at`,
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.databases[Symbol.asyncDispose]();
  }
}

/** Whether it has resolved by now. */
export async function isDone(work: Promise<unknown>): Promise<boolean> {
  await new Promise(setImmediate);
  return await Promise.race([work.then(() => true), new Promise<boolean>((resolve) => setImmediate(resolve, false))]);
}

/** Unlike `expect.poll`, which has the time go on where that stands still. */
export async function until(isSo: () => boolean): Promise<void> {
  const end = process.hrtime.bigint() + 10_000_000_000n;
  while (!isSo()) {
    if (process.hrtime.bigint() > end) throw new Error('It is not so after 10 s.');
    await new Promise(setImmediate);
  }
}
