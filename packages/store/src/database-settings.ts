import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';
import { StartError, type Settings } from '@payroll/process';

/** Where the database is, and how many connections a process may open to it. */
export interface DatabaseSettings {
  /** `postgres://role:password@host:port/payroll`; `?sslmode=verify-full` and `&sslrootcert=<file>` ask for TLS. */
  url: string;
  poolSize: number;
}

const POOL_SIZE = 10;

export function databaseSettings(s: Settings): DatabaseSettings {
  return { url: s.databaseUrl(), poolSize: s.wholeNumber('DATABASE_POOL', { from: 2, to: 1_000 }, POOL_SIZE) };
}

/** A place of which no more is said than its address. */
export function databaseAt(url: string): DatabaseSettings {
  return { url, poolSize: POOL_SIZE };
}

/**
 * Over TLS the server always has to prove that it is the host that was named: encryption alone would not keep anybody from
 * standing in between. So there are two ways only, and `sslmode=require` is the strict one as well.
 * @throws StartError for a mode that promises less than it seems, and for a file that cannot be read
 */
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
