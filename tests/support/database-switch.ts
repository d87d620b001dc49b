import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';

const NAME = 'payroll';

/** SQLSTATE object_in_use */
const IN_USE = '55006';

/**
 * Replaces the database of running processes with a copy, as a failover or a restore does. Each replaced database stays
 * readable under the name that `switchTo` returns.
 */
export class DatabaseSwitch {
  private count = 0;

  constructor(private readonly adminUrl: string) {}

  /** The rows of a query, in the current database or in a replaced one. Waits for Postgres if it is starting. */
  async rows<Row extends object>(query: string, values: unknown[] = [], database = NAME): Promise<Row[]> {
    const client = await this.connect(database);
    try {
      return (await client.query<Row>(query, values)).rows;
    } finally {
      await client.end();
    }
  }

  /** A copy of the database's current state. @returns its name */
  async copy(): Promise<string> {
    const copy = `payroll_copy_${this.count++}`;
    await this.withoutSessions([NAME], [`create database ${copy} template ${NAME}`]);
    return copy;
  }

  async switchTo(copy: string): Promise<string> {
    const left = `payroll_left_${this.count++}`;
    await this.withoutSessions(
      [NAME, copy],
      [`alter database ${NAME} rename to ${left}`, `alter database ${copy} rename to ${NAME}`],
      [left, NAME],
    );
    return left;
  }

  /** Keeps one service from connecting to Postgres; all others still can. */
  async cutOff(role: string): Promise<void> {
    await this.rows(`alter role ${role} connection limit 0`, [], 'postgres');
    await this.rows('select pg_terminate_backend(pid) from pg_stat_activity where usename = $1', [role], 'postgres');
  }

  async letIn(role: string): Promise<void> {
    await this.rows(`alter role ${role} connection limit -1`, [], 'postgres');
  }

  private async connect(database: string): Promise<Client> {
    for (let attempt = 1; ; attempt++) {
      const client = new Client(Object.assign(new URL(this.adminUrl), { pathname: database }).href);
      // A server that goes away later is reported by the next query.
      client.on('error', () => undefined);
      try {
        await client.connect();
        return client;
      } catch (error) {
        if (attempt === 600) throw error;
        await pause(100);
      }
    }
  }

  private async withoutSessions(names: string[], statements: string[], after = names): Promise<void> {
    const allow = (databases: string[], may: boolean): string[] =>
      databases.map((each) => `alter database ${each} allow_connections ${may}`);
    for (const statement of allow(names, false)) await this.rows(statement, [], 'postgres');
    for (const statement of statements) await this.withoutUsers(names, statement);
    for (const statement of allow(after, true)) await this.rows(statement, [], 'postgres');
  }

  /** A session that was let in before the statements above appears in pg_stat_activity only later: so end them again. */
  private async withoutUsers(names: string[], statement: string): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      await this.rows(
        'select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = any($1)',
        [names],
        'postgres',
      );
      try {
        return void (await this.rows(statement, [], 'postgres'));
      } catch (error) {
        if (attempt === 5 || (error as { code?: string }).code !== IN_USE) throw error;
      }
    }
  }
}
