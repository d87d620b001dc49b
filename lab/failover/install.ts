import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '@payroll/infra/processes';
import { progress } from '@payroll/tools/cli';
import { installDebian, versionsIn } from '../namespaces/debian.js';

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

const PACKAGES = ['postgresql-18', 'patroni', 'python3-etcd', 'etcd-server', 'haproxy'];

export function install(): void {
  if (existsSync(ROOT)) return;
  progress('Installing Debian testing with Postgres, Patroni, etcd and HAProxy below .local (100 MB, some minutes)');
  installDebian(ROOT, 'testing', PACKAGES);
}

export const versions = (): string => versionsIn(ROOT, PACKAGES);
