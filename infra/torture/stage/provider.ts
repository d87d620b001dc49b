import { join } from 'node:path';
import type { Stack } from '../../local/assemble-stack.js';
import type { Guardian } from '../../local/guardian.js';
import { startPostgres } from '../../local/postgres.js';
import { migrateAll } from '../../local/process-group.js';
import { bootstrapPostgres } from '../../postgres/bootstrap.js';

/** Where the orders of the sandbox provider are: in a Postgres of its own, which nothing that is done to ours undoes. */
export async function startProviderDatabase(
  { dir, secrets }: Stack,
  { root, guardian }: { root: string; guardian: Guardian },
  cleanup: AsyncDisposableStack,
): Promise<{ url: string; adminUrl: string }> {
  const { url: adminUrl } = cleanup.use(
    await startPostgres({
      dataDir: join(dir, 'provider'),
      password: secrets.postgresPassword,
      ports: 'free',
      durable: false,
      logFile: join(dir, 'logs', 'provider-postgres.log'),
      guardian,
      report: () => undefined,
    }),
  );
  const { ownerUrl, urls } = await bootstrapPostgres(adminUrl, { passwords: secrets.database });
  await migrateAll(root, dir, ownerUrl, guardian);
  return { url: urls.payments, adminUrl };
}
