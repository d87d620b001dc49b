import { defineEntity, p, type MikroORM } from '@mikro-orm/postgresql';
import type { ServiceName } from '@payroll/kernel';
import { createDatabase } from '@payroll/tools/local/test-server';
import { instant, openDatabase, type Schema } from '@payroll/store';
import { inject } from 'vitest';

/** A row without a constraint that would hide a duplicate effect. */
export const ThingTable = defineEntity({
  name: 'Thing',
  tableName: 'thing',
  properties: {
    id: p.uuid().primary(),
    workspaceId: p.uuid(),
    name: p.text(),
    createdAt: instant(),
    updatedAt: instant(),
  },
});

export const thingSchema: Schema = {
  name: 'contracts',
  tables: [ThingTable],
  migrations: [],
  migrationsDir: import.meta.dirname,
};

/** A separate database with the tables of a schema, and the processes that work in it as their role. */
export class TestDatabase implements AsyncDisposable {
  private constructor(
    private readonly schema: Schema,
    private readonly url: string,
    private readonly ownerUrl: string,
    private readonly stack: AsyncDisposableStack,
  ) {}

  /** Without migrations: the tables are as they are defined. */
  static async open(name: string, schema: Schema, backends = inject('backends')): Promise<TestDatabase> {
    const { ownerUrl, urls } = await createDatabase(backends, name);
    const database = new TestDatabase(schema, urls[schema.name as ServiceName], ownerUrl, new AsyncDisposableStack());
    await database.asOwner(async (owner) => {
      // Under mutation testing the same database is used again.
      await owner.schema.refresh();
      const role = schema.name;
      await owner.em.execute(`grant select, insert, update, delete on all tables in schema ${role} to ${role}`);
    });
    return database;
  }

  async asOwner(work: (owner: MikroORM) => Promise<void>): Promise<void> {
    const owner = await openDatabase(this.schema, this.ownerUrl, 'payroll_owner');
    try {
      await work(owner);
    } finally {
      await owner.close();
    }
  }

  /** Separate connections, as another process would have. */
  async process(): Promise<MikroORM['em']> {
    const orm = this.stack.adopt(await openDatabase(this.schema, this.url), (open) => open.close());
    return orm.em.fork();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stack.disposeAsync();
  }
}
