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
import { dirname, join } from 'node:path';
import { StartError } from '@payroll/tools/cli';

const NEEDED = ['apt-get', 'dpkg', 'chroot', 'unshare', 'nsenter', 'ip', 'mount'];

/** @throws StartError that says why this host can have no servers in namespaces */
export function requireHost(more: readonly string[] = []): void {
  if (process.platform !== 'linux') throw new StartError('this needs Linux: servers are network namespaces');
  if (userInfo().uid !== 0) throw new StartError('this needs root: it makes namespaces and mounts');
  const missing = [...NEEDED, ...more].filter((name) => spawnSync('sh', ['-c', `command -v ${name}`]).status !== 0);
  if (missing.length > 0) throw new StartError(`this needs Debian; ${missing.join(', ')} is missing`);
  if (!existsSync(KEYRING))
    throw new StartError(`this needs Debian's keys (${KEYRING}): apt-get install debian-archive-keyring`);
}

const APART = 'PAYROLL_LAB_APART';

export const isApart = (): boolean => process.env[APART] !== undefined;

/** Runs this command again in a network, mount and process namespace of its own: all that it starts ends with it. */
export function goApart(program: string): void {
  // It goes to both: that one reports and ends.
  process.on('SIGINT', () => undefined);
  const own = ['--net', '--mount', '--propagation', 'private', '--pid', '--fork', '--kill-child', '--mount-proc'];
  // The shell stays: it is the first process of the namespace, which has to take the ends of those whose parents have ended.
  const script = 'mkdir -p /run/netns && mount -t tmpfs tmpfs /run/netns && "$0" "$@"; exit $?';
  const command = [process.execPath, program, ...process.argv.slice(2)];
  const { status } = spawnSync('unshare', [...own, 'sh', '-c', script, ...command], {
    stdio: 'inherit',
    env: { ...process.env, [APART]: '1' },
  });
  process.exitCode = status ?? 1;
}

const MIRROR = 'http://deb.debian.org/debian';
const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg';

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
    if (status !== 0) throw new StartError(`${command} failed${error ? ` (${error.message})` : ''}: see ${log}`);
  };
}

export const BRIDGE = 'lab';
/** This process, on the bridge: the machine outside of all others. */
export const OUTSIDE = '10.0.0.254';

export const ip = (...args: string[]): string => execFileSync('ip', args, { encoding: 'utf8' });

export function makeBridge(): void {
  ip('link', 'set', 'lo', 'up');
  ip('link', 'add', BRIDGE, 'type', 'bridge');
  ip('addr', 'add', `${OUTSIDE}/24`, 'dev', BRIDGE);
  ip('link', 'set', BRIDGE, 'up');
}

/** A network namespace of this name, at one port of the bridge. If its link is cut, others get no sign of it. */
export class Host {
  constructor(
    readonly name: string,
    readonly address: string,
  ) {
    ip('netns', 'add', name);
    ip('link', 'add', `${name}-port`, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name);
    ip('link', 'set', `${name}-port`, 'master', BRIDGE, 'up');
    ip('-n', name, 'addr', 'add', `${address}/24`, 'dev', 'eth0');
    ip('-n', name, 'link', 'set', 'eth0', 'up');
    ip('-n', name, 'link', 'set', 'lo', 'up');
  }

  cut(): void {
    ip('link', 'set', `${this.name}-port`, 'down');
  }

  join(): void {
    ip('link', 'set', `${this.name}-port`, 'up');
  }
}
