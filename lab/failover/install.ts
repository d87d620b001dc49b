import { execFileSync, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { repositoryRoot } from '@payroll/infra/processes';
import { StartupError } from '@payroll/tools/startup-error';

/** Everything that the rig keeps: the file system with its packages, and the machines of the last run. */
const HOME = join(repositoryRoot, '.local', 'failover');
export const ROOT = join(HOME, 'root');
export const MACHINES = join(HOME, 'machines');

/** Keeps the logs of the system's processes until the next run. */
export function freshStackDir(): string {
  const dir = join(HOME, 'stack');
  rmSync(dir, { recursive: true, force: true });
  return dir;
}

const MIRROR = 'http://deb.debian.org/debian';
const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg';
const PACKAGES = ['postgresql-18', 'patroni', 'python3-etcd', 'etcd-server', 'haproxy'];
const NEEDED = ['apt-get', 'dpkg', 'chroot', 'unshare', 'nsenter', 'ip', 'mount'];

/** @throws StartupError that says why the rig cannot be set up on this host */
export function requireHost(): void {
  if (process.platform !== 'linux') throw new StartupError('this needs Linux: servers are network namespaces');
  if (userInfo().uid !== 0) throw new StartupError('this needs root: it makes namespaces and mounts');
  const missing = NEEDED.filter((name) => spawnSync('sh', ['-c', `command -v ${name}`]).status !== 0);
  if (missing.length > 0) throw new StartupError(`this needs Debian; ${missing.join(', ')} is missing`);
  if (!existsSync(KEYRING))
    throw new StartupError(`this needs Debian's keys (${KEYRING}): apt-get install debian-archive-keyring`);
}

/** Debian testing with Postgres, Patroni, etcd and HAProxy in a folder of its own; the host's packages stay as they are. */
export function install(progress: (text: string) => void): void {
  if (existsSync(ROOT)) return;
  progress('Installing Debian testing with Postgres, Patroni, etcd and HAProxy below .local (100 MB, some minutes)');
  const unfinished = `${ROOT}.new`;
  rmSync(unfinished, { recursive: true, force: true });
  const tools = join(HOME, 'tools');
  mkdirSync(tools, { recursive: true });
  run('apt-get', ['download', '-q', 'debootstrap'], tools);
  const [archive] = readdirSync(tools).filter((name) => name.startsWith('debootstrap_'));
  run('dpkg', ['-x', archive!, '.'], tools);
  run(
    join(tools, 'usr/sbin/debootstrap'),
    ['--variant=minbase', `--keyring=${KEYRING}`, 'testing', unfinished, MIRROR],
    tools,
    {
      DEBOOTSTRAP_DIR: join(tools, 'usr/share/debootstrap'),
    },
  );
  // Otherwise the packages would start their servers on this host, and Postgres make a cluster.
  writeFileSync(join(unfinished, 'usr/sbin/policy-rc.d'), '#!/bin/sh\nexit 101\n');
  chmodSync(join(unfinished, 'usr/sbin/policy-rc.d'), 0o755);
  mkdirSync(join(unfinished, 'etc/postgresql-common'), { recursive: true });
  writeFileSync(join(unfinished, 'etc/postgresql-common/createcluster.conf'), 'create_main_cluster = false\n');
  const script = 'mount -t proc proc "$0/proc" && exec chroot "$0" apt-get install -qy --no-install-recommends "$@"';
  run('unshare', ['--mount', '--propagation', 'private', 'sh', '-c', script, unfinished, ...PACKAGES], tools, {
    DEBIAN_FRONTEND: 'noninteractive',
    LC_ALL: 'C',
  });
  renameSync(unfinished, ROOT);
}

/** Testing moves, so a report names them. */
export function versions(): string {
  const output = execFileSync('chroot', [ROOT, 'dpkg-query', '-W', '-f', '${Package} ${Version}\n', ...PACKAGES], {
    encoding: 'utf8',
  });
  return output.trim().split('\n').join(', ');
}

/** Its output goes to a log, whose name is in the error. */
function run(command: string, args: readonly string[], cwd: string, env: Record<string, string> = {}): void {
  const log = join(HOME, 'install.log');
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    env: { ...process.env, ...env },
    encoding: 'utf8',
  });
  appendFileSync(log, `${stdout}${stderr}`);
  if (status !== 0) throw new StartupError(`${command} failed${error ? ` (${error.message})` : ''}: see ${log}`);
}
