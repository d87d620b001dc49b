import { readSettings } from '@payroll/process';
import { runningStack } from '../local/running-stack.js';
import { StartupError } from '../local/startup-error.js';

/** Postgres, as a role that may read every schema: `DATABASE_URL`, or the owner's of the system that `npm start` runs. */
export function ownerUrl(env: NodeJS.ProcessEnv = process.env): string {
  if (env['DATABASE_URL']) return readSettings(env, (s) => s.databaseUrl());
  const url = runningStack()?.postgres?.url;
  if (url !== undefined) return url;
  throw new StartupError(
    'DATABASE_URL is missing: the owner of the database payroll, or start a system with  npm start',
  );
}
