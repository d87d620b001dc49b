import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SERVICES } from '@payroll/kernel';
import { progress } from '@payroll/tools/cli';
import { findPort } from '@payroll/tools/local/ports';
import { processes, repositoryRoot } from '@payroll/infra/processes';
import { findOnPath } from '@payroll/tools/local/programs';
import type { Side } from './requests.js';
import { type Pace, compare } from './measure.js';
import { PATHS, type PathName, asked, countOf } from './paths.js';
import type { Table } from '../table.js';
import type { Stage } from './stage.js';
import { type Place, answers, startProgram } from './programs.js';

const MEASURED: readonly PathName[] = ['get', 'list', 'create'];

/** One process of each kind, the same behind the balancer, and two of each behind it. Undefined without HAProxy. */
export async function measureReplicas(stage: Stage, _share: number, pace: Pace): Promise<Table | undefined> {
  const program = findOnPath('haproxy');
  if (program === undefined) {
    progress('haproxy is not installed: neither replicas nor the way through the balancer are measured');
    return undefined;
  }
  const rows = await measureLayout(pace, 'one of each', stage.ours.v1);
  for (const count of [1, 2]) {
    await using cleanup = new AsyncDisposableStack();
    const side = await layOut(stage, { count, program }, cleanup);
    rows.push(...(await measureLayout(pace, count === 1 ? 'behind the balancer' : 'two of each behind it', side)));
  }
  return {
    title: 'Replicas: at 32 connections on the same cores; CPU-ms of a request, the balancer included',
    heads: ['', 'CPU-ms', 'of it the balancer', 'a second', 'p50 ms'],
    rows,
  };
}

/** The first processes, optionally a second one of each kind, and the balancer in front of all. */
async function layOut(
  { stack, ours: { v1 }, place }: Stage,
  { count, program }: { count: number; program: string },
  cleanup: AsyncDisposableStack,
): Promise<Side> {
  const ports = await reservePorts();
  const through = Object.fromEntries(
    SERVICES.map((name) => [`${name.toUpperCase()}_URL`, `http://127.0.0.1:${ports[name]}/graphql`]),
  );
  await stack.stop('rest-facade');
  await stack.start('rest-facade', through);
  cleanup.defer(async () => {
    await stack.stop('rest-facade');
    await stack.start('rest-facade');
  });
  const others = count === 1 ? {} : await second(stack, through, cleanup);
  const replicas = (name: Balanced) => [stack.ports[name], ...(others[name] ? [others[name].port] : [])];
  const balancer = await startBalancer(program, ports, replicas, { ...place, cleanup });
  const pids = Object.fromEntries(Object.entries(others).map(([name, { pid }]) => [`${name} 2`, pid]));
  return {
    ...v1,
    origin: `http://127.0.0.1:${ports['rest-facade']}`,
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
    const own = async () => ({ AUTH_LISTEN_PORT: await port(), ADMISSION_LISTEN_PORT: await port() });
    const env = name === 'workspaces' ? await own() : through;
    const other = cleanup.use(await stack.another(name, env));
    others[name] = { port: Number(new URL(other.url).port), pid: other.pid! };
  }
  return others;
}

async function measureLayout(pace: Pace, layout: string, side: Side): Promise<string[][]> {
  const rows: string[][] = [];
  for (const path of MEASURED) {
    progress(`replicas: ${layout}, ${path} …`);
    const [measured] = await compare([asked(side, PATHS[path].ask)], countOf(path, pace), pace);
    const { cpu, cpuByProcess, perSecond, p50 } = measured!;
    rows.push([
      ...[`${path}, ${layout}`, cpu.toFixed(2), (cpuByProcess['balancer'] ?? 0).toFixed(2)],
      ...[perSecond.toFixed(0), p50.toFixed(1)],
    ]);
  }
  return rows;
}

/** The processes reached through the balancer: the facade, and the services that it calls. */
const BALANCED = ['rest-facade', ...SERVICES] as const;
type Balanced = (typeof BALANCED)[number];

/** Reserves the balancer's ports before it starts, so that processes that connect through it can be started first. */
async function reservePorts(): Promise<Record<Balanced, number>> {
  const ports: [Balanced, number][] = [];
  for (const name of BALANCED) ports.push([name, await findPort(0, 'free')]);
  return Object.fromEntries(ports) as Record<Balanced, number>;
}

/** HAProxy with the settings of docker-compose in front of these loopback ports. @returns its pid */
async function startBalancer(
  command: string,
  ports: Readonly<Record<Balanced, number>>,
  replicas: (name: Balanced) => number[],
  place: Place,
): Promise<number> {
  const file = join(place.dir, 'haproxy.cfg');
  const sections = BALANCED.map((name) => section(name, ports[name], replicas(name)));
  await writeFile(file, [settings(), ...sections].join('\n'));
  const args = ['-f', file, '-db'];
  return await startProgram(
    'haproxy',
    { command, args, isReady: () => answers(`http://127.0.0.1:${ports['rest-facade']}`) },
    place,
  );
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
