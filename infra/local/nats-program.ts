import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { findProgram, missingNats, thisHost } from '#nats-server';
import { runToEnd } from './run-to-end.js';
import { StartupError } from './startup-error.js';

/** The server's path; installed with the system's own package manager where we may, else a StartupError with the command to type. */
export async function findNatsServer(options: { logFile: string; report: (line: string) => void }): Promise<string> {
  const host = thisHost();
  const found = findProgram('nats-server', host);
  if (found !== undefined) return found;
  const aptGet = findProgram('apt-get', host);
  const missing = missingNats(host);
  if (missing !== undefined || aptGet === undefined) throw new StartupError(missing ?? 'nats-server is missing');
  options.report('nats-server is missing: installing it with apt-get');
  await install(aptGet, options);
  const installed = findProgram('nats-server', host);
  if (installed !== undefined) return installed;
  throw new StartupError(missingNats({ ...host, path: '' }) ?? 'nats-server is missing');
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
