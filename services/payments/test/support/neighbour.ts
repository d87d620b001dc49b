import {
  answerQuestion,
  newEvent,
  type EventBody,
  type EventType,
  type KnownEvent,
  WORKER_ACCESS_QUESTION,
  WORKER_QUESTION,
} from '@payroll/events';
import { SYSTEM_ONLY, systemOrigin } from '@payroll/kernel';
import {
  serveNewestEvent,
  answerEvents,
  Commands,
  Bus,
  defineCommand,
  type NewEvent,
  OutboxRelay,
  writePathTables,
} from '@payroll/commands';
import { createLog } from '@payroll/runtime';
import { openDatabase, type Schema } from '@payroll/store';
import { sql } from 'kysely';

const tell = defineCommand('tell', {
  who: SYSTEM_ONLY,
  decide: (tx, event: NewEvent): Promise<void> => {
    tx.emit(event);
    return Promise.resolve();
  },
});

/** Records the event only. */
const hear = defineCommand('hear', { who: SYSTEM_ONLY, decide: () => Promise.resolve() });

export interface NeighbourOptions {
  service: 'workspaces' | 'contracts' | 'review';
  ownerUrl: string;
  databaseUrl: string;
  natsUrl: string;
}

/** A fake service with an outbox of its own on the real bus. */
export class Neighbour implements AsyncDisposable {
  /** The events that payments sent. */
  readonly heard: KnownEvent[] = [];

  private constructor(
    private readonly stack: AsyncDisposableStack,
    private readonly runner: Commands,
  ) {}

  static async open({ service, ownerUrl, databaseUrl, natsUrl }: NeighbourOptions): Promise<Neighbour> {
    const stack = new AsyncDisposableStack();
    const schema: Schema = {
      name: service,
      tables: [...writePathTables],
      migrations: [],
      migrationsDir: import.meta.dirname,
    };
    await makeTables(schema, ownerUrl);
    const { em } = stack.adopt(await openDatabase(schema, databaseUrl), (open) => open.close());
    const log = createLog(service, 'error');
    const bus = stack.use(new Bus({ url: natsUrl, name: service, log }));
    if (service === 'contracts') answerQuestion(bus, WORKER_QUESTION, () => Promise.resolve({ isKnown: true }));
    if (service === 'workspaces')
      answerQuestion(bus, WORKER_ACCESS_QUESTION, () => Promise.resolve({ hasAccess: false }));
    serveNewestEvent({ bus, em, service });
    const relay = stack.use(new OutboxRelay({ bus, em, service, log }));
    const neighbour = new Neighbour(stack, new Commands({ em, relay }));
    if (service === 'review') {
      const commands: Pick<Commands, 'apply'> = {
        apply: (_command, event) => {
          neighbour.heard.push(event as KnownEvent & typeof event);
          return Promise.resolve('applied');
        },
      };
      const types = ['created', 'processing', 'completed', 'failed', 'cancelled'] as const;
      const appliedBy = Object.fromEntries(types.map((type) => [`payment.${type}`, hear]));
      answerEvents({ bus, em, commands, service, appliedBy, log });
    }
    return neighbour;
  }

  async tell<T extends EventType>(type: T, workspaceId: string, aboutId: string, body: EventBody<T>): Promise<void> {
    await this.commit(newEvent(type, aboutId, body), workspaceId);
  }

  /** Returns the event when asked but does not deliver it, as while it is in transit. */
  async keepBack<T extends EventType>(
    type: T,
    workspaceId: string,
    aboutId: string,
    body: EventBody<T>,
  ): Promise<void> {
    await this.commit({ ...newEvent(type, aboutId, body), consumers: [] }, workspaceId);
  }

  private async commit(event: NewEvent, workspaceId: string): Promise<void> {
    await this.runner.run(tell, event, systemOrigin(workspaceId, 'runner', 'req_test'));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stack.disposeAsync();
  }
}

async function makeTables(schema: Schema, ownerUrl: string): Promise<void> {
  const owner = await openDatabase(schema, ownerUrl, 'payroll_owner');
  try {
    await owner.schema.create();
    const name = sql.ref(schema.name);
    await sql`grant select, insert, update, delete on all tables in schema ${name} to ${name}`.execute(
      owner.em.getKysely(),
    );
  } finally {
    await owner.close();
  }
}
