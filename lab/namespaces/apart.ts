import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';
import { StartupError } from '@payroll/tools/startup-error';
import { KEYRING } from './debian.js';

const NEEDED = ['apt-get', 'dpkg', 'chroot', 'unshare', 'nsenter', 'ip', 'mount'];

/** @throws StartupError that says why this host can have no servers in namespaces */
export function requireHost(more: readonly string[] = []): void {
  if (process.platform !== 'linux') throw new StartupError('this needs Linux: servers are network namespaces');
  if (userInfo().uid !== 0) throw new StartupError('this needs root: it makes namespaces and mounts');
  const missing = [...NEEDED, ...more].filter((name) => spawnSync('sh', ['-c', `command -v ${name}`]).status !== 0);
  if (missing.length > 0) throw new StartupError(`this needs Debian; ${missing.join(', ')} is missing`);
  if (!existsSync(KEYRING))
    throw new StartupError(`this needs Debian's keys (${KEYRING}): apt-get install debian-archive-keyring`);
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
