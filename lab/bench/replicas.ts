import { SERVICES } from '@payroll/kernel';
import { progress } from '@payroll/tools/cli';
import { findPort } from '@payroll/tools/local/ports';
import { processes } from '@payroll/infra/processes';
import { findOnPath } from '@payroll/tools/local/programs';
import { reserveDoors, startBalancer, type Balanced } from './balancer.js';
import type { Side } from './doors.js';
import { compare, type Measured, type Pace } from './measure.js';
import { asked, countOf, PATHS, type PathName } from './paths.js';
import { plain, type Table } from './shown/table.js';
import type { Stage } from './stage.js';

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
