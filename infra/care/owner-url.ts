import { runningStack } from '../local/running-stack.js';
import { StartupError } from '../local/startup-error.js';

/** Postgres, as a role that may read every schema: `DATABASE_URL`, or the owner's of the system that `npm start` runs. */
export function ownerUrl(): string {
  const url = process.env['DATABASE_URL'] ?? runningStack()?.postgres?.url;
  if (url === undefined) {
    throw new StartupError(
      'DATABASE_URL is missing: the owner of the database payroll, or start a system with  npm start',
    );
  }
  if (!URL.canParse(url))
    throw new StartupError('DATABASE_URL is not a URL: expected postgres://user:password@host:port/payroll');
  return url;
}
