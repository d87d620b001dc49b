import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { deploymentName, readSettings, runMain, StartError } from '@payroll/runtime';
import { processes, repositoryRoot, type ProcessDefinition } from '../processes.js';
import { bootstrapPostgres, claimFor, closeMaintenanceDatabases } from '../postgres/bootstrap.js';
import { serviceSchemas } from '../postgres/roles.js';

/**
 * The server in docker-compose.yml, which is ours alone. An external server may have other users, which we cannot
 * check.
 */
const OWN_SERVER = 'postgres:5432';

await runMain('migrate', process, {
  migrate: {
    help: 'makes roles, database and schemas, then brings all tables up to date; as often as you like',
    run: async (env) => {
      const { deployment, cell, adminUrl, passwords } = readSettings(env, (s) => ({
        deployment: s.choice('DEPLOYMENT', ['test', 'live']),
        cell: s.cell(),
        adminUrl: s.databaseUrl(),
        passwords: {
          owner: s.secret('OWNER_PASSWORD'),
          monitor: s.secret('MONITOR_PASSWORD'),
          services: s.passwords('ROLE_PASSWORDS', serviceSchemas),
        },
      }));
      const name = deploymentName(deployment, cell);
      // Before it gives the roles of another cell's server new passwords.
      await claimFor(name, adminUrl);
      const { ownerUrl } = await bootstrapPostgres(adminUrl, { passwords });
      if (new URL(adminUrl).host === OWN_SERVER) await closeMaintenanceDatabases(adminUrl);
      await claimFor(name, adminUrl);
      const own = processes.filter(({ schema }) => schema !== undefined);
      const failed = (await Promise.all(own.map((definition) => migrate(definition, ownerUrl)))).filter(Boolean);
      if (failed.length > 0) throw new StartError(`the tables of ${failed.join(', ')} are not up to date: see above`);
    },
  },
});

/** @returns its name if it failed; it has printed the reason */
async function migrate({ name, entry }: ProcessDefinition, ownerUrl: string): Promise<string> {
  const child = spawn(process.execPath, [join(repositoryRoot, entry), 'migrate'], {
    env: { DATABASE_URL: ownerUrl },
    stdio: 'inherit',
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code === 0 ? '' : name;
}
