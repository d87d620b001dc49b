import type { EntityManager } from '@mikro-orm/postgresql';
import { Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely';
import type { PoolClient, QueryResult } from 'pg';
import { namedQuery, type Sql } from '@payroll/store';

type Query = string | { name?: string; text: string; values: unknown[] };

/**
 * Statements on one connection, from BEGIN to COMMIT. None waits for the answer to the one before: what is sent in one
 * turn of the event loop reaches Postgres in one write, and is answered in one. A statement that fails fails the
 * transaction, awaited or not; its connection is not used again.
 */
export class Transaction {
  private unanswered: Promise<QueryResult>[] = [];
  private isOpen = false;
  private failure: unknown;
  private isCorked = false;

  private constructor(private readonly client: PoolClient) {}

  /** For `work` to commit or to roll back; rolls back when it throws. @throws Error when it does neither. */
  static async run<T>(em: EntityManager, work: (transaction: Transaction) => Promise<T>): Promise<T> {
    const pool = await em.getConnection().getNativeClient();
    const transaction = new Transaction(await pool.connect());
    try {
      transaction.begin();
      const result = await work(transaction);
      if (transaction.isOpen) throw new Error('A transaction was neither committed nor rolled back.');
      return result;
    } catch (error) {
      await transaction.giveUp();
      // Whatever came after it, such as that the transaction is aborted, is its consequence.
      throw transaction.failure ?? error;
    } finally {
      transaction.client.release(transaction.isOpen || transaction.failure !== undefined);
    }
  }

  begin(): void {
    void this.send('begin');
    this.isOpen = true;
  }

  /** Takes back what was sent since BEGIN. */
  rollback(): void {
    void this.send('rollback');
    this.isOpen = false;
  }

  read<Row extends object>(statement: Sql<Row>): Promise<Row[]> {
    const rows = this.send(namedQuery(statement)).then((answer) => answer.rows as Row[]);
    // Whoever does not wait for it learns of the failure from `answered`.
    rows.catch(() => undefined);
    return rows;
  }

  write(statement: Sql): void {
    void this.send(namedQuery(statement));
  }

  /** Resolves when everything sent so far is answered. @throws the first failure. */
  async answered(): Promise<void> {
    const answers = await Promise.allSettled(this.unanswered);
    this.unanswered = [];
    const failed = answers.find((answer) => answer.status === 'rejected');
    if (failed) throw failed.reason;
  }

  /** @throws unless Postgres says COMMIT: it answers ROLLBACK, and no error, after a statement that failed. */
  async commit(): Promise<void> {
    const committed = this.send('commit');
    await this.answered();
    if ((await committed).command !== 'COMMIT') throw new Error('Postgres rolled the transaction back.');
    this.isOpen = false;
  }

  /** Entities of this transaction, which are written by its `flush`. */
  entitiesOf(em: EntityManager): EntityManager {
    const query = (text: string, values: readonly unknown[]): Promise<QueryResult> =>
      this.send({ text, values: [...values] });
    const connection = { query, release: () => undefined } as unknown as PostgresPoolClient;
    const pool = { connect: () => Promise.resolve(connection), end: () => Promise.resolve(), options: {} };
    const entities = em.fork();
    entities.setTransactionContext(new Kysely({ dialect: new PostgresDialect({ pool }) }));
    return entities;
  }

  private async giveUp(): Promise<void> {
    if (this.isOpen) this.rollback();
    await this.answered().catch(() => undefined);
  }

  private send(query: Query): Promise<QueryResult> {
    this.cork();
    const answer = this.client.query(query as string);
    answer.catch((error: unknown) => {
      this.failure ??= error;
    });
    this.unanswered.push(answer);
    return answer;
  }

  private cork(): void {
    if (this.isCorked) return;
    this.isCorked = true;
    const { stream } = this.client.connection;
    stream.cork();
    process.nextTick(() => {
      this.isCorked = false;
      stream.uncork();
    });
  }
}
