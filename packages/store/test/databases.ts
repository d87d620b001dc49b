import { defineEntity, p, type MikroORM } from '@mikro-orm/postgresql';
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

/** A separate database, and the processes that work in it as their role. */
export class ThingDatabase implements AsyncDisposable {
  private constructor(
    private readonly url: string,
    private readonly ownerUrl: string,
    private readonly stack: AsyncDisposableStack,
  ) {}

  static async open(name: string): Promise<ThingDatabase> {
    const { ownerUrl, urls } = await createDatabase(inject('backends'), name);
    const database = new ThingDatabase(urls.contracts, ownerUrl, new AsyncDisposableStack());
    await database.asOwner(async (owner) => {
      // Under mutation testing the same database is used again.
      await owner.schema.refresh();
      await owner.em.execute('grant select, insert, update on all tables in schema contracts to contracts');
      await owner.em.execute('grant delete on contracts.thing to contracts');
    });
    return database;
  }

  async asOwner(work: (owner: MikroORM) => Promise<void>): Promise<void> {
    const owner = await openDatabase(thingSchema, this.ownerUrl, 'payroll_owner');
    try {
      await work(owner);
    } finally {
      await owner.close();
    }
  }

  /** Separate connections, as another process would have. */
  async process(): Promise<MikroORM['em']> {
    const orm = this.stack.adopt(await openDatabase(thingSchema, this.url), (open) => open.close());
    return orm.em.fork();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stack.disposeAsync();
  }
}
