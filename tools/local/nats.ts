import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { connect as openSocket } from 'node:net';
import { join, resolve } from 'node:path';
import { SERVICES, recordOf } from '@payroll/kernel';
import { errorSentence, StartError } from '@payroll/runtime';
import { connect } from '@nats-io/transport-node';
import { findProgram, missingNats, thisHost } from '#nats-server';
import { renderNatsConfig } from '@payroll/infra/nats/config';
import type { NatsPasswords } from '@payroll/infra/nats/permissions';
import type { Guardian } from './guardian.js';
import { type PortChoice, startOnPort } from './ports.js';
import { type Command, runToEnd } from './run-to-end.js';
import { type ProcessSpec, Supervised } from './supervisor.js';

export interface NatsOptions {
  /** Contains the configuration file. */
  readonly home: string;
  readonly passwords: NatsPasswords;
  readonly ports?: PortChoice;
  readonly logFile: string;
  readonly guardian: Guardian;
  readonly report: (line: string) => void;
}

export type Nats = Awaited<ReturnType<typeof startNats>>;

/** Starts a NATS server on loopback and restarts it if it dies. */
export async function startNats(options: NatsOptions) {
  const { passwords } = options;
  const program = await findNatsServer(options);
  const home = resolve(options.home);
  mkdirSync(home, { recursive: true, mode: 0o700 });
  return startOnPort({ port: 4222, ports: options.ports }, /address already in use/i, async (port) => {
    const process = superviseServer(program, { ...options, home, port });
    await process.start();
    return {
      process,
      configFile: join(home, 'nats.conf'),
      logFile: options.logFile,
      /** Without credentials. */
      url: `nats://127.0.0.1:${port}`,
      urls: recordOf(SERVICES, (user) => `nats://${user}:${encodeURIComponent(passwords[user])}@127.0.0.1:${port}`),
      [Symbol.asyncDispose]: () => process.stop(),
    };
  });
}

function superviseServer(
  program: string,
  { home, port, passwords, ...options }: NatsOptions & { port: number },
): Supervised {
  const configFile = join(home, 'nats.conf');
  const serverName = `payroll-${randomBytes(6).toString('hex')}`;
  const config = renderNatsConfig({ port, passwords, serverName });
  writeFileSync(configFile, config, { mode: 0o600 });
  const env = { PATH: process.env['PATH'] ?? '' };
  const command = { name: 'nats', command: program, args: ['-c', configFile], env, logFile: options.logFile };
  return new Supervised(natsSpec(command, port, serverName), options);
}

export function natsSpec(command: Command, port: number, serverName: string): ProcessSpec {
  const isReady = async () => (await greetingOf(port)).includes(`"server_name":"${serverName}"`);
  return { ...command, isReady, readyWithinMs: 20_000, startAttempts: 1 };
}

/**
 * The server's path; installs it with the system's package manager if permitted, else throws a StartError with the
 * command to type.
 */
export async function findNatsServer(options: { logFile: string; report: (line: string) => void }): Promise<string> {
  const host = thisHost();
  const found = findProgram('nats-server', host);
  if (found !== undefined) return found;
  const aptGet = findProgram('apt-get', host);
  const missing = missingNats(host);
  if (missing !== undefined || aptGet === undefined) throw new StartError(missing ?? 'nats-server is missing');
  options.report('nats-server is missing: installing it with apt-get');
  await install(aptGet, options);
  const installed = findProgram('nats-server', host);
  if (installed !== undefined) return installed;
  throw new StartError(missingNats({ ...host, path: '' }) ?? 'nats-server is missing');
}

async function install(aptGet: string, { logFile }: { logFile: string }): Promise<void> {
  // RUNLEVEL=1 keeps the package from starting its own server on every interface.
  const env = {
    PATH: process.env['PATH'] ?? '',
    DEBIAN_FRONTEND: 'noninteractive',
    RUNLEVEL: '1',
    LC_ALL: 'C',
    ...proxies(),
  };
  const run = (...args: string[]) => runToEnd({ name: `apt-get ${args[0]}`, command: aptGet, args, env, logFile });
  await run('update');
  await run('install', '-y', '--no-install-recommends', 'nats-server');
  if (existsSync('/run/systemd/system'))
    spawnSync('systemctl', ['disable', '--now', 'nats-server'], { stdio: 'ignore' });
}

function proxies(): Record<string, string> {
  const set = Object.entries(process.env).filter(([name]) => /^(?:https?|no)_proxy$|^(?:HTTPS?|NO)_PROXY$/.test(name));
  return Object.fromEntries(set) as Record<string, string>;
}

/** The INFO line that a NATS server sends before authentication; empty if nothing answers. */
function greetingOf(port: number): Promise<string> {
  return new Promise((done) => {
    const socket = openSocket({ port, host: '127.0.0.1', timeout: 1_000 });
    let text = '';
    const finish = (): void => {
      socket.destroy();
      done(text);
    };
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('utf8');
      if (text.includes('\n')) finish();
    });
    socket.on('error', finish);
    socket.on('timeout', finish);
    socket.on('close', finish);
  });
}

const ANSWERS_WITHIN_MS = 5_000;

/** Fail at once if the address is wrong: processes wait for an unreachable NATS, so it would show only a minute later. */
export async function requireNats(url: string): Promise<void> {
  const { host, username: user, password: pass } = new URL(url);
  const who = user === '' ? {} : { user: decodeURIComponent(user), pass: decodeURIComponent(pass) };
  const advice = 'start it, correct the address, or unset it to use a server of our own';
  try {
    const connection = await connect({ servers: host, ...who, reconnect: false, timeout: ANSWERS_WITHIN_MS });
    await connection.close();
  } catch (error) {
    throw new StartError(`NATS_URL: no NATS lets us in at ${host} (${errorSentence(error)}): ${advice}`, {
      cause: error,
    });
  }
}
