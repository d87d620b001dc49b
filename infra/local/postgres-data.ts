import { chownSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Guardian } from './guardian.js';
import type { PostgresPrograms } from './postgres-program.js';
import { commandLineOf, startOf } from './process-identity.js';
import { runToEnd } from './run-to-end.js';
import { StartupError } from './startup-error.js';

/** Makes the data directory once; the same locale and clock everywhere, so that order and dates do not depend on the host. */
export async function initialiseData(options: {
  dataDir: string;
  programs: PostgresPrograms;
  password: string;
  durable: boolean;
  logFile: string;
  guardian: Guardian;
}): Promise<void> {
  const { dataDir, programs, password, durable, logFile, guardian } = options;
  if (existsSync(dataDir)) return;
  // Made under another name: an initdb that was interrupted leaves nothing that looks like data.
  const newDir = `${dataDir}.new`;
  const passwordFile = `${dataDir}.password`;
  rmSync(newDir, { recursive: true, force: true });
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (programs.user !== undefined) chownSync(passwordFile, programs.user.uid, programs.user.gid);
  const { command, args } = programs.commandFor('initdb', [
    `--pgdata=${newDir}`,
    '--username=postgres',
    '--auth=scram-sha-256',
    `--pwfile=${passwordFile}`,
    '--encoding=UTF8',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
    ...(durable ? [] : ['--no-sync']),
  ]);
  const user = programs.user === undefined ? {} : { user: programs.user };
  try {
    await runToEnd({ name: 'initdb', command, args, env: postgresEnv(), ...user, logFile }, guardian);
    renameSync(newDir, dataDir);
  } finally {
    rmSync(passwordFile, { force: true });
    rmSync(newDir, { recursive: true, force: true });
  }
}

export function postgresEnv(): Record<string, string> {
  return { PATH: process.env['PATH'] ?? '', TZ: 'UTC', LC_ALL: 'C' };
}

/**
 * Frees a data directory whose last server did not end in order. Postgres refuses to start where `postmaster.pid` names a
 * living process, whoever that is: another program may have got the number meanwhile, or the server still runs.
 */
export async function clearStalePid(dataDir: string): Promise<void> {
  const file = join(dataDir, 'postmaster.pid');
  if (!existsSync(file)) return;
  const pid = Number(readFileSync(file, 'utf8').split('\n')[0]);
  const start = startOf(pid);
  const isOurs = start !== undefined && (commandLineOf(pid)?.includes(dataDir) ?? false);
  if (isOurs) {
    for (const [signal, withinMs] of [
      ['SIGINT', 10_000],
      ['SIGQUIT', 5_000],
    ] as const) {
      process.kill(pid, signal);
      const deadline = Date.now() + withinMs;
      while (startOf(pid) === start && Date.now() < deadline) await sleep(50);
      if (startOf(pid) !== start) break;
    }
    if (startOf(pid) === start)
      throw new StartupError(`a Postgres of an earlier run hangs: stop it with  kill -9 ${pid}`);
  }
  rmSync(file, { force: true });
}
