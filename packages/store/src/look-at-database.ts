import type { EntityManager } from '@mikro-orm/postgresql';
import { finding, findings, type Finding } from '@payroll/process';
import { clockSkewSeconds } from './clock-skew.js';
import type { DatabaseSettings } from './database-settings.js';
import { lookAtTables } from './look-at-tables.js';
import { openDatabase, type Schema } from './orm.js';

const MOST_SKEW_SECONDS = 2;

/** Whether a process reaches its database, as its own role, and finds there what it was built for; and what else it looks at. */
export async function lookAtDatabase(
  name: string,
  schema: Schema,
  database: DatabaseSettings,
  more: (em: EntityManager) => Promise<Finding[]> = () => Promise.resolve([]),
): Promise<Finding[]> {
  const what = `${name} reaches its database`;
  return await findings(what, 'look at DATABASE_URL, the certificate and whether Postgres runs', async () => {
    const orm = await openDatabase(schema, database);
    try {
      const em = orm.em.fork();
      return [
        { ok: true, what },
        await lookAtClocks(name, em),
        ...(await lookAtTables(em, name, schema)),
        ...(await more(em)),
      ];
    } finally {
      await orm.close();
    }
  });
}

async function lookAtClocks(name: string, em: EntityManager): Promise<Finding> {
  const skew = await clockSkewSeconds(em);
  return finding(
    `the clocks of ${name} and Postgres agree`,
    Math.abs(skew) < MOST_SKEW_SECONDS,
    `they differ by ${skew.toFixed(1)} s`,
    'set the clocks by NTP: tokens between processes are good for 15 s',
  );
}
