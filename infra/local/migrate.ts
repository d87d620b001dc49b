import { join } from 'node:path';
import type { Guardian } from './guardian.js';
import { hostEnvironment, processes } from './processes.js';
import { runToEnd } from './run-to-end.js';

/** Every schema's migrations at the same time, as the owner; they touch no schema but their own. */
export async function migrateAll(options: {
  root: string;
  dir: string;
  ownerUrl: string;
  guardian: Guardian;
}): Promise<void> {
  const { root, dir, ownerUrl, guardian } = options;
  const runs = processes
    .filter(({ schema }) => schema !== undefined)
    .map(({ name, entry }) =>
      runToEnd(
        {
          name: `the migration of ${name}`,
          command: process.execPath,
          args: [join(root, entry), 'migrate'],
          env: { ...hostEnvironment(), DATABASE_URL: ownerUrl },
          cwd: root,
          logFile: join(dir, 'logs', `${name}.log`),
        },
        guardian,
      ),
    );
  // All of them end before the first failure is told: none is left running on a database that is about to stop.
  const results = await Promise.allSettled(runs);
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}
