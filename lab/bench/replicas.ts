import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SERVICES } from '@payroll/kernel';
import { progress } from '@payroll/tools/cli';
import { findPort } from '@payroll/tools/local/ports';
import { processes, repositoryRoot } from '@payroll/infra/processes';
import { findOnPath } from '@payroll/tools/local/programs';
import type { Side } from './requests.js';
import { type Measured, type Pace, compare } from './measure.js';
import { PATHS, type PathName, asked, countOf } from './paths.js';
import { type Table, plain } from '../table.js';
import type { Stage } from './stage.js';
import { type Place, listensAt, startProgram } from './programs.js';

/** A path in one layout of the processes; the balancer's CPU counts too. */
export interface Replicated {
  layout: string;
  path: PathName;
  measured: Measured;
}

const MEASURED: readonly PathName[] = ['get', 'list', 'create'];

/** One process of each kind, the same behind the balancer, and two of each behind it. Null without HAProxy. */
export async function measureReplicas(stage: Stage, pace: Pace): Promise<Replicated[] | null> {
  const program = findOnPath('haproxy');
  if (program === undefined) {
    progress('haproxy is not installed: neither replicas nor the way through the balancer are measured');
    return null;
  }
  const seen = await measureLayout(pace, 'one of each', stage.ours.v1);
  for (const count of [1, 2]) {
    await using cleanup = new AsyncDisposableStack();
    const door = await layOut(stage, { count, program }, cleanup);
    seen.push(...(await measureLayout(pace, count === 1 ? 'behind the balancer' : 'two of each behind it', door)));
  }
  console.log(plain(replicasTable(seen)));
  return seen;
}

/** The first processes, optionally a second one of each kind, and the balancer in front of all. */
async function layOut(
  { stack, ours: { v1 }, place }: Stage,
  { count, program }: { count: number; program: string },
  cleanup: AsyncDisposableStack,
): Promise<Side> {
  const doors = await reserveDoors();
  const through = Object.fromEntries(
    SERVICES.map((name) => [`${name.toUpperCase()}_URL`, `http://127.0.0.1:${doors[name]}/graphql`]),
  );
  await stack.stop('rest-facade');
  await stack.start('rest-facade', through);
  cleanup.defer(async () => {
    await stack.stop('rest-facade');
    await stack.start('rest-facade');
  });
  const others = count === 1 ? {} : await second(stack, through, cleanup);
  const replicas = (name: Balanced) => [stack.ports[name], ...(others[name] ? [others[name].port] : [])];
  const balancer = await startBalancer(program, doors, replicas, { ...place, cleanup });
  const pids = Object.fromEntries(Object.entries(others).map(([name, { pid }]) => [`${name} 2`, pid]));
  return {
    ...v1,
    origin: `http://127.0.0.1:${doors['rest-facade']}`,
    processes: () => ({ ...stack.file.processes, ...pids, balancer }),
  };
}

async function second(
  stack: Stage['stack'],
  through: Record<string, string>,
  cleanup: AsyncDisposableStack,
): Promise<Record<string, { port: number; pid: number }>> {
  const others: Record<string, { port: number; pid: number }> = {};
  for (const { name } of processes) {
    // The pages of the second workspaces process need their own port too.
    const port = async (): Promise<string> => String(await findPort(0, 'free'));
    const doors = async () => ({ AUTH_LISTEN_PORT: await port(), ADMISSION_LISTEN_PORT: await port() });
    const env = name === 'workspaces' ? await doors() : through;
    const other = cleanup.use(await stack.another(name, env));
    others[name] = { port: Number(new URL(other.url).port), pid: other.pid! };
  }
  return others;
}

async function measureLayout(pace: Pace, layout: string, side: Side): Promise<Replicated[]> {
  const seen: Replicated[] = [];
  for (const path of MEASURED) {
    progress(`replicas: ${layout}, ${path} …`);
    const [measured] = await compare([asked(side, PATHS[path].ask)], countOf(path, pace), pace);
    seen.push({ layout, path, measured: measured! });
  }
  return seen;
}

export function replicasTable(seen: readonly Replicated[]): Table {
  return {
    title: 'Replicas: at 32 connections on the same cores; CPU-ms of a request, the balancer included',
    heads: ['', 'CPU-ms', 'of it the balancer', 'a second', 'p50 ms'],
    rows: seen.map(({ layout, path, measured: { cpu, cpuByProcess, perSecond, p50 } }) => [
      ...[`${path}, ${layout}`, cpu.toFixed(2), (cpuByProcess['balancer'] ?? 0).toFixed(2)],
      ...[perSecond.toFixed(0), p50.toFixed(1)],
    ]),
  };
}

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
