import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chownSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '@payroll/infra/processes';
import { progress } from '@payroll/tools/cli';
import { Host, installDebian, versionsIn } from '../namespaces/host.js';

export interface MachineSpec {
  name: string;
  address: string;
  /** As the user of this name, in the file system of the packages. */
  command: readonly string[];
  user: string;
  /** Its configuration, by file name: below /srv, where its data are too. */
  files: Readonly<Record<string, string>>;
}

/**
 * A server: one program with its network, process tree and memory in namespaces of its own. If it is killed, its kernel closes
 * its connections. If it is frozen, its peers get no sign of it.
 */
export class Machine extends Host {
  private child: ChildProcess | undefined;
  private readonly home: string;

  constructor(private readonly spec: MachineSpec) {
    const { name, address, user, files } = spec;
    super(name, address);
    this.home = join(MACHINES, name);
    mkdirSync(this.home, { recursive: true });
    for (const [file, content] of Object.entries(files)) writeFileSync(join(this.home, file), content);
    const { uid, gid } = idsOf(user);
    chownSync(this.home, uid, gid);
  }

  start(): void {
    const { name, user, command } = this.spec;
    const { uid, gid } = idsOf(user);
    const script = `mount --bind "$0" "${ROOT}/srv" && mount -t proc proc "${ROOT}/proc" &&
      mount -t tmpfs -o mode=1777 tmpfs "${ROOT}/dev/shm" && exec chroot --userspec=${uid}:${gid} "${ROOT}" "$@"`;
    const apart = ['unshare', '--mount', '--propagation', 'private', '--pid', '--ipc', '--fork'];
    const log = openSync(join(MACHINES, `${name}.log`), 'a');
    // Not `ip netns exec`, which mounts another /sys.
    this.child = spawn('nsenter', [`--net=/run/netns/${name}`, ...apart, 'sh', '-c', script, this.home, ...command], {
      stdio: ['ignore', log, log],
      env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C', TZ: 'UTC' },
    });
  }

  async kill(): Promise<void> {
    const { child } = this;
    if (child === undefined) return;
    const ended = once(child, 'exit');
    // The kernel kills all processes of a namespace with its first one.
    const first = firstOf(child);
    if (first !== undefined) process.kill(first, 'SIGKILL');
    await ended;
    this.child = undefined;
  }

  /** Sends the signal to all of its processes, or to some. */
  signal(signal: NodeJS.Signals, is: (pid: number, commandLine: string) => boolean = () => true): void {
    for (const pid of this.pids()) {
      const commandLine = readOr(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' '), '');
      if (is(pid, commandLine)) process.kill(pid, signal);
    }
  }

  private pids(): number[] {
    const first = this.child && firstOf(this.child);
    if (first === undefined) return [];
    const space = namespaceOf(first);
    return readdirSync('/proc')
      .map(Number)
      .filter((pid) => pid > 0 && namespaceOf(pid) === space);
  }
}

/** The first process of the namespace that `unshare` has made. */
function firstOf({ pid }: ChildProcess): number | undefined {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()) || undefined;
}

const namespaceOf = (pid: number): string => readOr(() => readlinkSync(`/proc/${pid}/ns/pid`), `${pid} has ended`);

function readOr(read: () => string, otherwise: string): string {
  try {
    return read();
  } catch {
    return otherwise;
  }
}

function idsOf(user: string): { uid: number; gid: number } {
  const line = readFileSync(join(ROOT, 'etc/passwd'), 'utf8')
    .split('\n')
    .find((each) => each.startsWith(`${user}:`));
  const [, , uid, gid] = line!.split(':').map(Number);
  return { uid: uid!, gid: gid! };
}

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
