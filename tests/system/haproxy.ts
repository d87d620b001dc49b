import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '@payroll/infra/processes';
import { findOnPath } from '@payroll/tools/local/programs';
import { findPort } from '@payroll/tools/local/ports';

export interface Replica {
  port: number;
  /** The port of its /readyz, if it is another one. */
  healthPort?: number;
}

export const haproxy = findOnPath('haproxy');
if (haproxy === undefined && process.env['CI']) throw new Error('The balancer is tested in CI: apt install haproxy');

const own = (): string => readFileSync(join(repositoryRoot, 'infra/balancer/haproxy.cfg'), 'utf8');

/** A free port for each listener of the balancer. */
export async function freeBalancerPorts(): Promise<Map<number, number>> {
  const ports = new Map<number, number>();
  for (const [, port] of own().matchAll(/bind :(\d+)/g)) ports.set(Number(port), await findPort(0, 'free'));
  return ports;
}

/** Our configuration on loopback: with these ports, these replicas of a process behind a port, and nothing behind the others. */
export function balancerConfig(
  ports: ReadonlyMap<number, number>,
  replicasOf: (process: string, port: number) => readonly Replica[],
): string {
  const servers = (prefix: string, replicas: readonly Replica[]): string =>
    replicas
      .map(({ port, healthPort }, index) => {
        const check = healthPort === undefined ? '' : ` port ${healthPort}`;
        return `server ${prefix}${index + 1} 127.0.0.1:${port}${check}`;
      })
      .join('\n  ') || `server ${prefix} 127.0.0.1:1`;
  return own()
    .replace(/^resolvers .*\n(?: .*\n)+/m, '')
    .replace(' resolvers dns init-addr none', '')
    .replaceAll(/bind :(\d+)/g, (_, port: string) => `bind 127.0.0.1:${ports.get(Number(port))}`)
    .replaceAll(
      /server-template (\w+) \d+ "([\w-]+)[^":]*:(\d+)"(?: port \d+)?/g,
      (_, prefix: string, process: string, port: string) => servers(prefix, replicasOf(process, Number(port))),
    );
}

export interface Balancer extends AsyncDisposable {
  /** As its container is stopped: resolves once the last connection has ended. */
  stop: () => Promise<void>;
}

export function startHaproxy(
  file: string,
  config: string,
  variables: Readonly<Record<string, string>> = {},
  name = 'balancer',
): Balancer {
  writeFileSync(file, config);
  const env = { ...process.env, ...variables };
  const child = spawn(haproxy!, ['-f', file, '-db', '-L', name], { env, stdio: 'ignore' });
  const ended = once(child, 'exit');
  return {
    async stop() {
      child.kill('SIGUSR1');
      await ended;
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
