import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SERVICES } from '@payroll/kernel';
import { findPort } from '@payroll/tools/local/ports';
import { repositoryRoot } from '@payroll/infra/processes';
import { listensAt, startProgram, type Place } from './program.js';

/** The processes reached through the balancer: the facade, and the services that it calls. */
const BALANCED = ['rest-facade', ...SERVICES] as const;
export type Balanced = (typeof BALANCED)[number];

/** Reserves the balancer's ports before it starts, so that processes that connect through it can be started first. */
export async function reserveDoors(): Promise<Record<Balanced, number>> {
  const ports: [Balanced, number][] = [];
  for (const name of BALANCED) ports.push([name, await findPort(0, 'free')]);
  return Object.fromEntries(ports) as Record<Balanced, number>;
}

/** HAProxy with the settings of docker-compose in front of these loopback ports. @returns its pid */
export async function startBalancer(
  command: string,
  doors: Readonly<Record<Balanced, number>>,
  replicas: (name: Balanced) => number[],
  place: Place,
): Promise<number> {
  const file = join(place.dir, 'haproxy.cfg');
  const sections = BALANCED.map((name) => section(name, doors[name], replicas(name)));
  await writeFile(file, [settings(), ...sections].join('\n'));
  const args = ['-f', file, '-db'];
  return await startProgram('haproxy', { command, args, isReady: () => listensAt(doors['rest-facade']) }, place);
}

/** The settings of infra/balancer, without Docker's names. */
function settings(): string {
  const [general = ''] = readFileSync(join(repositoryRoot, 'infra/balancer/haproxy.cfg'), 'utf8').split(/^listen /m, 1);
  return general.replace(/^resolvers .*\n(?: .*\n)+/m, '').replace(' resolvers dns init-addr none', '');
}

function section(name: string, port: number, replicas: readonly number[]): string {
  const servers = replicas.map((each, n) => `  server replica-${n + 1} 127.0.0.1:${each}\n`);
  return `listen ${name}\n  bind 127.0.0.1:${port}\n  maxconn 1000\n${servers.join('')}`;
}
