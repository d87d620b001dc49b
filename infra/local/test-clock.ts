import { Client, escapeIdentifier } from 'pg';
import { serviceSchemas } from '../postgres/bootstrap.js';

const ROLES = serviceSchemas.join(', ');

/** Found before Postgres' own by whoever looks here first. */
const CLOCK = `
  create schema if not exists test_clock;
  create table if not exists test_clock.ahead as select interval '0' as by;
  create or replace function test_clock.clock_timestamp() returns timestamptz language sql volatile
    as 'select pg_catalog.clock_timestamp() + by from test_clock.ahead';
  create or replace function test_clock.now() returns timestamptz language sql stable
    as 'select pg_catalog.now() + by from test_clock.ahead';
  grant usage on schema test_clock to ${ROLES};
  grant select on test_clock.ahead to ${ROLES};
  grant execute on all functions in schema test_clock to ${ROLES};`;

/** The time that Postgres tells the services of one test database: its own, moved to where a test wants it. */
export class TestClock {
  private constructor(private readonly url: string) {}

  /** Before the services connect: connections that are open keep Postgres' own time. A copy of a database keeps its time. */
  static async install({ adminUrl }: { adminUrl: string }, database: string): Promise<TestClock> {
    const url = new URL(adminUrl);
    url.pathname = `/${encodeURIComponent(database)}`;
    const clock = new TestClock(url.href);
    const roles = serviceSchemas.map(
      (role) =>
        `alter role ${role} in database ${escapeIdentifier(database)} set search_path = test_clock, pg_catalog, ${role};`,
    );
    await clock.run(CLOCK + roles.join('\n'));
    return clock;
  }

  async set(now: Date): Promise<void> {
    await this.run('update test_clock.ahead set by = $1 - pg_catalog.clock_timestamp()', [now.toISOString()]);
  }

  async pass(ms: number): Promise<void> {
    await this.run(`update test_clock.ahead set by = by + $1 * interval '1 ms'`, [ms]);
  }

  private async run(statement: string, values?: unknown[]): Promise<void> {
    const client = new Client({ connectionString: this.url });
    await client.connect();
    try {
      await client.query(statement, values);
    } finally {
      await client.end();
    }
  }
}
