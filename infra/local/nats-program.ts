import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { runToEnd } from './run-to-end.js';
import { StartupError } from './startup-error.js';

export interface Host {
  readonly path: string;
  readonly isRoot: boolean;
}

/** Where a distribution puts it, though a user's PATH may lack it. */
const usualPlaces = ['/usr/sbin', '/usr/local/sbin', '/usr/local/bin', '/opt/homebrew/bin'];

/** The server's path; installed with the system's own package manager where we may, else a StartupError with the command to type. */
export async function findNatsServer(options: {
  logFile: string;
  report: (line: string) => void;
  host?: Host;
}): Promise<string> {
  const host = options.host ?? thisHost();
  const found = find('nats-server', host);
  if (found !== undefined) return found;
  const aptGet = find('apt-get', host);
  if (aptGet === undefined || !host.isRoot) throw new StartupError(`nats-server is missing: ${advice(host)}`);
  options.report('nats-server is missing: installing it with apt-get');
  await install(aptGet, options);
  const installed = find('nats-server', host);
  if (installed === undefined) throw new StartupError(`apt-get has no nats-server: ${elsewhere}`);
  return installed;
}

const elsewhere = 'install it from https://github.com/nats-io/nats-server/releases, or set NATS_URL to a running one';

/** What a person types who has to install it. */
export function advice(host: Host): string {
  if (find('brew', host) !== undefined) return 'type  brew install nats-server  and start again';
  if (find('apt-get', host) !== undefined) {
    return 'type  sudo apt-get update && sudo apt-get install -y nats-server  and start again';
  }
  return elsewhere;
}

async function install(aptGet: string, { logFile }: { logFile: string }): Promise<void> {
  // RUNLEVEL=1 keeps the package from starting a server of its own, on every interface, beside ours.
  const env = { PATH: process.env['PATH'] ?? '', DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1', LC_ALL: 'C' };
  const run = (...args: string[]) =>
    runToEnd({ name: `apt-get ${args[0]}`, command: aptGet, args, env: proxied(env), logFile });
  await run('update');
  await run('install', '-y', '--no-install-recommends', 'nats-server');
  if (existsSync('/run/systemd/system'))
    spawnSync('systemctl', ['disable', '--now', 'nats-server'], { stdio: 'ignore' });
}

function proxied(env: Record<string, string>): Record<string, string> {
  const names = ['http_proxy', 'https_proxy', 'no_proxy', 'HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'];
  const set = names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]] as const]));
  return { ...env, ...Object.fromEntries(set) };
}

function thisHost(): Host {
  return { path: process.env['PATH'] ?? '', isRoot: process.getuid?.() === 0 };
}

function find(program: string, { path }: Host): string | undefined {
  const places = [...path.split(delimiter), ...(program === 'nats-server' ? usualPlaces : [])];
  return places.map((place) => join(place, program)).find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
