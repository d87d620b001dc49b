import { appendFileSync, chmodSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { execFileSync, spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { StartupError } from '@payroll/tools/startup-error';

const MIRROR = 'http://deb.debian.org/debian';
export const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg';

/** A Debian release with these packages in a folder of its own; the host's packages stay as they are. */
export function installDebian(root: string, release: string, packages: readonly string[]): void {
  const unfinished = `${root}.new`;
  rmSync(unfinished, { recursive: true, force: true });
  const tools = join(dirname(root), 'tools');
  mkdirSync(tools, { recursive: true });
  const run = runner(join(dirname(root), 'install.log'));
  run('apt-get', ['download', '-q', 'debootstrap'], tools);
  const [archive] = readdirSync(tools).filter((name) => name.startsWith('debootstrap_'));
  run('dpkg', ['-x', archive!, '.'], tools);
  run(
    join(tools, 'usr/sbin/debootstrap'),
    ['--variant=minbase', `--keyring=${KEYRING}`, release, unfinished, MIRROR],
    tools,
    { DEBOOTSTRAP_DIR: join(tools, 'usr/share/debootstrap') },
  );
  // Otherwise the packages would start their servers on this host, and Postgres make a cluster.
  writeFileSync(join(unfinished, 'usr/sbin/policy-rc.d'), '#!/bin/sh\nexit 101\n');
  chmodSync(join(unfinished, 'usr/sbin/policy-rc.d'), 0o755);
  mkdirSync(join(unfinished, 'etc/postgresql-common'), { recursive: true });
  writeFileSync(join(unfinished, 'etc/postgresql-common/createcluster.conf'), 'create_main_cluster = false\n');
  const script = 'mount -t proc proc "$0/proc" && exec chroot "$0" apt-get install -qy --no-install-recommends "$@"';
  run('unshare', ['--mount', '--propagation', 'private', 'sh', '-c', script, unfinished, ...packages], tools, {
    DEBIAN_FRONTEND: 'noninteractive',
    LC_ALL: 'C',
  });
  renameSync(unfinished, root);
}

/** Releases get updates, so a report names them. */
export function versionsIn(root: string, packages: readonly string[]): string {
  const output = execFileSync('chroot', [root, 'dpkg-query', '-W', '-f', '${Package} ${Version}\n', ...packages], {
    encoding: 'utf8',
  });
  return output.trim().split('\n').join(', ');
}

/** Runs programs whose output goes to a log, which an error names. */
export function runner(log: string) {
  return (command: string, args: readonly string[], cwd: string, env: Record<string, string> = {}): void => {
    const { status, stdout, stderr, error } = spawnSync(command, args, {
      cwd,
      env: { ...process.env, ...env },
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
    });
    appendFileSync(log, `${stdout}${stderr}`);
    if (status !== 0) throw new StartupError(`${command} failed${error ? ` (${error.message})` : ''}: see ${log}`);
  };
}
