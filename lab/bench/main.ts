import { parseArgs } from 'node:util';
import { count, oneOf, progress, runCommand } from '@payroll/tools/cli';
import { approvalsOfOne, measureEvents, measureOneWorkspace } from './approvals.js';
import { writeFigures } from './shown/document.js';
import { type Figures, type PathFigures, thisMachine } from './shown/figures.js';
import { measureGrowth } from './growth.js';
import { type Pace, compare } from './measure.js';
import { measureMemory } from './memory.js';
import { PATHS, contestantsOf, countOf, pathNames } from './paths.js';
import { measurePages } from './pages.js';
import { measureReplicas } from './replicas.js';
import { pathsTable, report } from './shown/report.js';
import { plain } from '../table.js';
import { measureSpace } from './space.js';
import { type Stage, setUpSystem } from './stage.js';
import type { Approvals } from './workspaces.js';

/** The parts that can be measured: each path, and what no path covers. */
const partNames = [...pathNames, 'one-workspace', 'events', 'replicas', 'memory', 'pages', 'space', 'growth'] as const;
type PartName = (typeof partNames)[number];

const USAGE = `Usage: npm run bench [-- options]

Compares each hot path with a bare Fastify + pg handler that does the same admission and data statements, in one run on
this machine, and reads with Hive's gateway, where that is installed: CPU per request of our processes, of Postgres and
of NATS, requests per second, latencies. Requests are spread over 512 workspaces with a key each, within the limits of
each: one answer of 429 ends the run. Then one busy workspace, events, replicas, memory, pages, space and growth. Starts a
system of its own on free ports, with data of its own. Needs Linux (/proc). Nothing fails for being slow.

  --path <name>        this alone (may be repeated): ${pathNames.join(', ')};
                       one-workspace: 33 approvals a second, and flat out; events: from outbox to consumer; replicas: two of each process, and the
                       balancer (needs haproxy); memory: after 100,000 requests; pages: of the application, while 100,000
                       pieces of work wait; space: bytes that an approval leaves in Postgres; growth: 1,000 and 1,000,000
                       rows
  --rounds <n>         how often each path is measured; the median is shown (default 3)
  --connections <n>    at how many connections (may be repeated; default 32 and 2)
  --short              one round and a tenth of the requests and rows
  --beside <dir>       compares the paths and the one workspace with another checkout too, in the same run: "before". It must
                       be installed and built, and have no .local yet; its npm start is run, and .local goes at the end
  --metrics            every process serves its metrics, as in docker-compose
  --json <file>        writes the figures to this .json file, and beside it a picture of them (.svg) and their tables,
                       where there is a document (.md) with a place for them
  --help               this text
`;

interface Options {
  parts: readonly PartName[];
  rounds: number;
  connections: readonly number[];
  isShort: boolean;
  metrics: boolean;
  beside: string | undefined;
  json: string | undefined;
}

function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      path: { type: 'string', multiple: true },
      rounds: { type: 'string' },
      connections: { type: 'string', multiple: true, default: ['32', '2'] },
      short: { type: 'boolean', default: false },
      metrics: { type: 'boolean', default: false },
      beside: { type: 'string' },
      json: { type: 'string' },
    },
  });
  if (values.json !== undefined && !values.json.endsWith('.json')) throw new Error('--json names a .json file.');
  return {
    parts: values.path?.map((text) => oneOf('--path', text, partNames)) ?? partNames,
    rounds: count('--rounds', values.rounds ?? (values.short ? '1' : '3')),
    connections: values.connections.map((text) => count('--connections', text)),
    isShort: values.short,
    metrics: values.metrics,
    beside: values.beside,
    json: values.json,
  };
}

const SHORT = 0.1;
/** Used when a single level of concurrency is measured. */
const CONNECTIONS = 32;

async function main(options: Options): Promise<void> {
  await using cleanup = new AsyncDisposableStack();
  const { metrics, beside } = options;
  const stage = await setUpSystem({ metrics, beside, approvals: approvalsOf(options) }, cleanup);
  const figures: Figures = {
    measuredAt: new Date().toISOString(),
    machine: thisMachine(),
    isShort: options.isShort,
    rounds: options.rounds,
    paths: await measurePaths(stage, options),
    ...(await measureRest(stage, options)),
  };
  if (figures.paths.length > 1) console.log(plain(pathsTable(figures.paths)));
  if (options.json === undefined) return;
  for (const file of await writeFigures(options.json, figures)) progress(`Written: ${file}`);
}

async function measurePaths(stage: Stage, options: Options): Promise<PathFigures[]> {
  const seen: PathFigures[] = [];
  for (const path of pathNames.filter((name) => options.parts.includes(name))) {
    for (const connections of options.connections) {
      const { title } = PATHS[path];
      const pace = paceOf(options, connections);
      progress(`${title} at ${connections} connections: ${options.rounds} rounds …`);
      const measured = await compare(contestantsOf(path, stage), countOf(path, pace), pace);
      const figures = { path, title, connections, measured };
      console.log(report(figures));
      seen.push(figures);
    }
  }
  return seen;
}

/** Measures what no path covers. The largest tables come last, so that they do not slow down the other measurements. */
async function measureRest(stage: Stage, options: Options) {
  const pace = paceOf(options, CONNECTIONS);
  const wanted = (part: PartName): boolean => options.parts.includes(part);
  return {
    ...(wanted('one-workspace') && { oneWorkspace: await measureOneWorkspace(stage, pace.share) }),
    ...(wanted('events') && { events: await measureEvents(stage, pace.share) }),
    ...(wanted('replicas') && { replicas: await measureReplicas(stage, pace) }),
    ...(wanted('memory') && { memory: await measureMemory(stage, pace.share) }),
    ...(wanted('pages') && { pages: await measurePages(stage, pace.share) }),
    ...(wanted('space') && { space: await measureSpace(stage, pace.share) }),
    ...(wanted('growth') && { growth: await measureGrowth(stage, pace.share) }),
  };
}

function paceOf(options: Options, connections: number): Pace {
  return { rounds: options.rounds, connections, share: shareOf(options) };
}

const shareOf = ({ isShort }: Options): number => (isShort ? SHORT : 1);

/**
 * Each workspace needs, for each number of connections, one approval per round and one for the warm-up; and one more
 * for the single event.
 */
function approvalsOf(options: Options): Approvals {
  const { connections, rounds } = options;
  return { each: connections.length * (rounds + 1) + 1, one: approvalsOfOne(shareOf(options)) };
}

await runCommand('bench', { usage: USAGE, read: readOptions, run: main });
