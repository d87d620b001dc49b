import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';
import { StartError, type DeploymentName, type Settings } from '@payroll/runtime';

export interface DatabaseSettings {
  readonly url: string;
  readonly poolSize: number;
  /** Databases of others are refused. Without it any is accepted, as migrations have looked before (infra/docker/migrate.ts). */
  readonly deployment?: DeploymentName;
  /** Tried if Postgres refuses that of the URL: while a password is rotated there are two. */
  readonly otherPassword?: string;
}

const POOL_SIZE = 10;

export function databaseSettings(s: Settings): DatabaseSettings {
  const [password, otherPassword] = s.secrets('DATABASE_PASSWORD') ?? [];
  return {
    url: s.databaseUrl(password),
    poolSize: s.wholeNumber('DATABASE_POOL', { from: 2, to: 1_000 }, POOL_SIZE),
    deployment: s.deploymentName(),
    ...(otherPassword !== undefined && { otherPassword }),
  };
}

/** `postgres://role:password@host:port/payroll`; `?sslmode=verify-full` and `&sslrootcert=<file>` ask for TLS. */
export function databaseAt(url: string): DatabaseSettings {
  return { url, poolSize: POOL_SIZE };
}

/** `require` is as strict as `verify-full`. @throws StartError for other modes, and for a file that cannot be read */
export function tlsOf(url: string): ConnectionOptions | false {
  const { searchParams } = new URL(url);
  const mode = searchParams.get('sslmode') ?? 'disable';
  if (mode === 'disable') return false;
  if (mode !== 'verify-full' && mode !== 'require') {
    throw new StartError(
      `DATABASE_URL: sslmode=${mode} is not offered; use verify-full, or disable on a private network`,
    );
  }
  const file = searchParams.get('sslrootcert');
  return { rejectUnauthorized: true, ...(file !== null && { ca: read(file) }) };
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw new StartError(`DATABASE_CA_FILE: ${file} cannot be read; name a PEM file that this process may read`);
  }
}
