import { Client, escapeIdentifier, escapeLiteral } from 'pg';
import { databaseName } from './roles.js';

export type Deployment = 'test' | 'live';

/**
 * A database belongs to one deployment for ever, and says so in its comment: what is in a test one (keys, tokens and
 * passwords that a demo printed) opens nothing live, and live data is not handed to a test one with generated secrets.
 * @param adminUrl of the cluster; the database is there already
 */
export async function claimFor(deployment: Deployment, adminUrl: string, database = databaseName): Promise<void> {
  const client = new Client({ connectionString: adminUrl, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    const { rows } = await client.query<{ comment: string | null }>(
      "select shobj_description(oid, 'pg_database') as comment from pg_database where datname = $1",
      [database],
    );
    const [, owner] = /^Deployment: (\w+)$/.exec(rows[0]?.comment ?? '') ?? [];
    if (owner === deployment) return;
    if (owner !== undefined) throw new OtherDeploymentError(deployment, owner);
    const comment = escapeLiteral(`Deployment: ${deployment}`);
    await client.query(`comment on database ${escapeIdentifier(database)} is ${comment}`);
  } finally {
    await client.end();
  }
}

class OtherDeploymentError extends Error {
  override readonly name = 'OtherDeploymentError';

  constructor(deployment: Deployment, owner: string) {
    super(`DEPLOYMENT is ${deployment}, but the database was made for ${owner}: give this deployment one of its own`);
  }
}
