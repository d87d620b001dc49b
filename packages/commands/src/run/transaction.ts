import type { EntityManager } from '@mikro-orm/postgresql';
import type { Instant } from '@payroll/kernel';
import { computed, namedQuery, Select, sql, type Sql } from '@payroll/store';
import type { PoolClient, QueryResult } from 'pg';

type Query = string | { name?: string; text: string; values: unknown[] };

/**
 * A connection for one command. Statements are pipelined: those sent in one tick of the event loop reach Postgres in one
 * write. It goes back to the pool once COMMIT or ROLLBACK is answered; after a failure it is closed.
 */
export class Connection {
  private failure: { error: unknown } | undefined;
  private readonly unanswered: Promise<unknown>[] = [];
  private isOpen = false;
  /** From BEGIN until COMMIT or ROLLBACK is sent. */
  private takesStatements = false;
  private isCorked = false;

  private constructor(private readonly client: PoolClient) {}

  static async use<T>(em: EntityManager, work: (connection: Connection) => Promise<T>): Promise<T> {
    const pool = await em.getConnection().getNativeClient();
    const connection = new Connection(await pool.connect());
    try {
      const result = await work(connection);
      if (connection.isOpen) throw new Error('A transaction was neither committed nor rolled back.');
      return result;
    } catch (error) {
      if (!connection.failure && connection.isOpen) await connection.rollback().catch(() => undefined);
      // Errors after the first, such as "transaction is aborted", follow from it. Closing the connection rolls back; waiting
      // for ROLLBACK would block the workspace and the caller for another time-out.
      throw connection.failure ? connection.failure.error : error;
    } finally {
      connection.client.release(connection.isOpen || connection.failure !== undefined);
    }
  }

  /**
   * Sends BEGIN, the change clock and the statements of `read` in one write. If BEGIN fails, Postgres still executes the
   * rest, each statement by itself; therefore writes are possible only after BEGIN is confirmed, and at most the clock
   * moves.
   */
  async begin<Sent extends Record<string, Promise<unknown>>>(
    workspaceId: string,
    read: (reads: Reads) => Sent,
  ): Promise<{ transaction: Transaction; sent: Sent }> {
    void this.query('begin');
    this.isOpen = true;
    this.takesStatements = true;
    const clock = this.send(namedQuery(advanceChangeClock(workspaceId)));
    const sent = read(new Reads(this));
    for (const each of Object.values(sent)) each.catch(() => undefined);
    await this.answered();
    const [{ now }] = (await clock).rows as [{ now: Instant }];
    return { transaction: new Transaction(this, now), sent };
  }

  /** One statement that Postgres commits by itself. @throws TypeError while a transaction is open. */
  async writeAlone<Row extends object>(statement: Sql<Row>): Promise<Row[]> {
    if (this.isOpen) throw new TypeError('A transaction is open on this connection.');
    const { rows } = await this.query(namedQuery(statement));
    return rows as Row[];
  }

  /** @throws the first failure: a decision based on a failed statement is discarded. */
  async rollback(): Promise<void> {
    this.takesStatements = false;
    await this.query('rollback');
    this.isOpen = false;
    await this.answered();
  }

  /** @throws unless Postgres answers COMMIT: after a failed statement it answers ROLLBACK without an error. */
  async commit(): Promise<void> {
    this.takesStatements = false;
    const committed = this.query('commit');
    await this.answered();
    if ((await committed).command !== 'COMMIT') throw new Error('Postgres rolled back.');
    this.isOpen = false;
  }

  /** Resolves when everything sent so far is answered. @throws the first failure. */
  async answered(): Promise<void> {
    await Promise.allSettled(this.unanswered.splice(0));
    if (this.failure) throw this.failure.error;
  }

  /** @throws Error once COMMIT or ROLLBACK is sent: Postgres would commit a later statement by itself. */
  send(query: Query): Promise<QueryResult> {
    if (!this.takesStatements) throw new Error('The transaction has ended: a command must wait for all that it does.');
    return this.query(query);
  }

  private query(query: Query): Promise<QueryResult> {
    this.cork();
    const answer = this.client.query(query as string);
    answer.catch((error: unknown) => {
      this.failure ??= { error };
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

/**
 * Runs first in every transaction and locks the clock until it ends: writes of a workspace commit in the order of their
 * timestamps, so pollers miss no row. A separate statement, because in READ COMMITTED only a later statement sees the
 * previous holder's commit.
 */
const advanceChangeClock = (workspaceId: string) => sql`
  insert into change_clock as clock (workspace_id, last) values (${workspaceId}, clock_timestamp())
  on conflict (workspace_id) do update set last = greatest(clock_timestamp(), clock.last + interval '1 us')
  returning ${computed('now', 'timestamptz', sql`clock.last`)}`;

/** What may be sent before BEGIN is confirmed. */
export class Reads {
  constructor(protected readonly connection: Connection) {}

  /** @throws TypeError for anything but a SELECT: without BEGIN its effect could not be rolled back. */
  async select<Row extends object>(statement: Select<Row>): Promise<Row[]> {
    if (!(statement instanceof Select)) throw new TypeError('Only a SELECT may be sent before BEGIN is confirmed.');
    const { rows } = await this.connection.send(namedQuery(statement));
    return rows as Row[];
  }
}

/** A transaction that Postgres has confirmed: the only thing to write with. */
export class Transaction extends Reads {
  constructor(
    connection: Connection,
    /** The workspace's change clock: what `createdAt` and `updatedAt` are set to. */
    readonly now: Instant,
  ) {
    super(connection);
  }

  read<Row extends object>(statement: Sql<Row>): Promise<Row[]> {
    const rows = this.connection.send(namedQuery(statement)).then((answer) => answer.rows as Row[]);
    // If the statement is not awaited, COMMIT reports the failure.
    rows.catch(() => undefined);
    return rows;
  }

  write(statement: Sql): void {
    void this.connection.send(namedQuery(statement));
  }
}
