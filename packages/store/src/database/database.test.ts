import { expect, it } from 'vitest';
import { databaseAt } from './database-settings.js';
import { ormOptions, type Schema } from './database.js';

const schema: Schema = { name: 'review', tables: [], migrations: [], migrationsDir: '/app/migrations' };
const URL = 'postgres://review@database/payroll';

it('a service works in its own schema, in UTC, with the configured number of connections', () => {
  expect(ormOptions(schema, { url: URL, poolSize: 7 })).toMatchObject({
    clientUrl: URL,
    schema: 'review',
    forceUtcTimezone: true,
    pool: { min: 0, max: 7 },
    migrations: { path: '/app/migrations', snapshot: false, silent: true, disableForeignKeys: false },
  });
});

it('pipelines statements, over TLS if the URL requires it', () => {
  expect(ormOptions(schema, databaseAt(URL)).driverOptions).toEqual({ pipeline: true });
  expect(ormOptions(schema, databaseAt(`${URL}?sslmode=require`)).driverOptions).toEqual({
    pipeline: true,
    ssl: { rejectUnauthorized: true },
  });
});
