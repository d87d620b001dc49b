import type { EntityManager } from '@mikro-orm/postgresql';
import { newId, type DomainError } from '@payroll/kernel';
import { as, CommandRunner, defineCommand, read, sql, type Claimed, type CommandTransaction } from '@payroll/store';
import { ThingDatabase, ThingTable } from './databases.js';
import { ANYBODY, make, originOf, refusal } from './things.js';

export type Renaming = { id: string; name: string; expected: string };

/** Of a thing that was not touched before. */
export const renaming = (id: string, name = 'renamed', expected = 'new'): Renaming => ({ id, name, expected });

/** Like an approval: only what still has the expected name is renamed, and that is told. */
export const renameBut = (meddle: (tx: CommandTransaction, input: Renaming) => unknown = () => undefined) =>
  defineCommand('rename', {
    who: ANYBODY,
    find: async (rows, { id }: Renaming) => (await rows.lock(ThingTable, id))!,
    decide: async (tx, input, thing) => {
      await meddle(tx, input);
      if (thing.name !== input.expected) throw refusal();
      const renamed = tx.update(ThingTable, thing, { name: input.name, updatedAt: tx.now });
      const consumers = ['review'];
      tx.emit({ type: 'thing.renamed', aboutId: thing.id, body: { name: input.name }, consumers });
      return renamed;
    },
  });

/** Twelve things of a workspace, and those who rename them at once: the first goes alone, the others share a transaction. */
export class Renames {
  readonly workspaceId = newId();
  readonly told: Claimed[] = [];
  readonly ids: string[] = [];
  readonly runner: CommandRunner;

  private constructor(
    private readonly database: ThingDatabase,
    readonly em: EntityManager,
    readonly elsewhere: EntityManager,
  ) {
    const deliver = (events: readonly Claimed[]): Promise<void> => Promise.resolve(void this.told.push(...events));
    this.runner = new CommandRunner({ em, relay: { isOpen: true, deliver } });
  }

  static async open(name: string): Promise<Renames> {
    const database = await ThingDatabase.open(name);
    return new Renames(database, await database.process(), await database.process());
  }

  /** In a workspace of its own. */
  async fresh(): Promise<Renames> {
    const scene = new Renames(this.database, this.em, this.elsewhere);
    const makeOne = defineCommand('makeThing', {
      who: ANYBODY,
      decide: (tx, { name }: { name: string }) => make(tx, name),
    });
    for (let n = 0; n < 12; n++) {
      const made = await scene.runner.run(makeOne, { name: 'new' }, originOf(scene.workspaceId));
      scene.ids.push(made.id);
    }
    scene.told.length = 0;
    return scene;
  }

  async codesOf(
    inputs: readonly Renaming[],
    command: ReturnType<typeof renameBut> = renameBut(),
    operations: readonly string[] = inputs.map(newId),
  ): Promise<string[]> {
    const principal = newId();
    const run = (input: Renaming, n: number): Promise<unknown> =>
      this.runner.run(command, input, originOf(this.workspaceId, principal), operations[n]);
    const outcomes = await Promise.allSettled(inputs.map(run));
    return outcomes.map((each) => (each.status === 'rejected' ? (each.reason as DomainError).code : 'done'));
  }

  async names(): Promise<string[]> {
    const rows = await read(
      this.elsewhere,
      sql`select ${as('name', 'text', sql`name`)} from thing where workspace_id = ${this.workspaceId} order by id`,
    );
    return rows.map(({ name }) => name);
  }

  /** In how many renames were decided. */
  async transactions(): Promise<number> {
    const [row] = await read(
      this.elsewhere,
      sql`select ${as('count', 'int', sql`count(distinct xmin::text)`)} from applied_operation
        where workspace_id = ${this.workspaceId} and command = 'rename'`,
    );
    return row!.count;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.database[Symbol.asyncDispose]();
  }
}
