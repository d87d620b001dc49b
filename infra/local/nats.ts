import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { byName } from '@payroll/kernel';
import { renderNatsConfig } from '../nats/config.js';
import { type NatsPasswords, type NatsUser, natsUsers } from '../nats/permissions.js';
import type { Guardian } from './guardian.js';
import { greetingOf } from './nats-greeting.js';
import { findNatsServer } from './nats-program.js';
import { type PortChoice, findPort, releasePort } from './ports.js';
import { type Supervised, supervise } from './supervisor.js';

export interface NatsOptions {
  /** Holds the configuration and JetStream's files. */
  readonly storeDir: string;
  readonly passwords: NatsPasswords;
  readonly port?: number;
  readonly ports?: PortChoice;
  readonly logFile: string;
  readonly guardian: Guardian;
  readonly report: (line: string) => void;
}

export interface Nats extends AsyncDisposable {
  readonly port: number;
  readonly pid: number | undefined;
  readonly process: Supervised;
  /** Without credentials. */
  readonly url: string;
  /** Each process' own, with its user and password. */
  readonly urls: Readonly<Record<NatsUser, string>>;
  /** Stops it and starts it with nothing stored, as after the loss of its disk. */
  wipe(): Promise<void>;
}

/** Starts a NATS server with JetStream on loopback and restarts it if it dies. */
export async function startNats(options: NatsOptions): Promise<Nats> {
  const program = await findNatsServer(options);
  const home = resolve(options.storeDir);
  const storeDir = join(home, 'jetstream');
  mkdirSync(home, { recursive: true, mode: 0o700 });
  for (let attempt = 1; ; attempt++) {
    const port = await findPort(options.port ?? 4222, attempt === 1 ? options.ports : 'free');
    const process = superviseServer({ program, home, storeDir, port, options });
    try {
      await process.start();
    } catch (error) {
      if (/address already in use/i.test(String(error)) && attempt < 5) continue;
      throw error;
    } finally {
      releasePort(port);
    }
    const wipe = async (): Promise<void> => {
      await process.stop();
      rmSync(storeDir, { recursive: true, force: true });
      await process.start();
    };
    return {
      port,
      process,
      get pid() {
        return process.pid;
      },
      url: `nats://127.0.0.1:${port}`,
      urls: natsUrls(port, options.passwords),
      wipe,
      [Symbol.asyncDispose]: () => process.stop(),
    };
  }
}

function superviseServer(server: {
  program: string;
  home: string;
  storeDir: string;
  port: number;
  options: NatsOptions;
}): Supervised {
  const { program, home, storeDir, port, options } = server;
  const configFile = join(home, 'nats.conf');
  const serverName = `payroll-${randomBytes(6).toString('hex')}`;
  const config = renderNatsConfig({ port, storeDir, passwords: options.passwords, serverName });
  writeFileSync(configFile, config, { mode: 0o600 });
  return supervise(
    {
      name: 'nats',
      command: program,
      args: ['-c', configFile],
      env: { PATH: process.env['PATH'] ?? '' },
      logFile: options.logFile,
      isReady: async () => (await greetingOf(port)).includes(`"server_name":"${serverName}"`),
      readyWithinMs: 20_000,
      startAttempts: 1,
    },
    options,
  );
}

function natsUrls(port: number, passwords: NatsPasswords): Record<NatsUser, string> {
  return byName(natsUsers, (user) => `nats://${user}:${encodeURIComponent(passwords[user])}@127.0.0.1:${port}`);
}
