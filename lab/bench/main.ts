import { flag, jsonFile, options, progress, runCommand, someOf, text } from '@payroll/tools/cli';
import { plain, type Table } from '../table.js';
import { approvalsOfOne, measureEvents, measureOneWorkspace } from './approvals.js';
import { measureGrowth } from './growth.js';
import { compare, type Pace } from './measure.js';
import { measureMemory } from './memory.js';
import { measurePages } from './pages.js';
import { contestantsOf, countOf, pathNames, PATHS } from './paths.js';
import { measureReplicas } from './replicas.js';
import { type Figures, partsOf, type PathFigures, pathsTable, thisMachine, writeFigures } from './report/report.js';
import { measureSpace } from './space.js';
import { setUpSystem, type Stage } from './stage.js';

/** Measurements beside the paths. The largest tables of Postgres come last, so that they do not slow down the other measurements. */
const REST = {
  'one-workspace': measureOneWorkspace,
  events: measureEvents,
  replicas: measureReplicas,
  memory: measureMemory,
  pages: measurePages,
  space: measureSpace,
  growth: measureGrowth,
} satisfies Record<string, (stage: Stage, share: number, pace: Pace) => Promise<Table | undefined>>;
const restNames = Object.keys(REST) as (keyof typeof REST)[];

const USAGE = `Usage: npm run bench [-- options]

Compares each hot path with a bare Fastify + pg handler that does the same admission and data statements, in one run on
this machine: CPU per request of our processes, of Postgres and of NATS, requests per second, latencies. Requests are spread over 512 workspaces with a key each, within the limits of
each: one answer of 429 ends the run. Then one busy workspace, events, replicas, memory, pages, space and growth. Starts a
system of its own on free ports, with data of its own. Needs Linux (/proc). Nothing fails for being slow.

  --path <name>        this alone (may be repeated): ${pathNames.join(', ')};
                       one-workspace: 33 approvals a second, and flat out; events: from outbox to consumer; replicas: two of each process, and the
                       balancer (needs haproxy); memory: after 100,000 requests; pages: of the application, while 100,000
                       pieces of work wait; space: bytes that an approval leaves in Postgres; growth: 1,000 and 1,000,000
                       rows
  --short              one round and a tenth of the requests and rows
  --beside <dir>       compares the paths and the one workspace with another checkout too, in the same run: "before". It must
                       be installed and built, and have no .local yet; its npm start is run, and .local goes at the end
  --metrics            every process serves its metrics, as in docker-compose
  --json <file>        writes the figures to this .json file, and beside it a picture of them (.svg) and their tables,
                       where there is a document (.md) with a place for them
  --help               this text
`;

const read = options({
  path: someOf([...pathNames, ...restNames]),
  short: flag,
  metrics: flag,
  beside: text,
  json: jsonFile,
});
type Options = ReturnType<typeof read>;

const CONNECTIONS = [32, 2] as const;
const ROUNDS = 3;

async function main({ path: parts, short, metrics, beside, json }: Options): Promise<void> {
  await using cleanup = new AsyncDisposableStack();
  const [share, rounds] = short ? [0.1, 1] : [1, ROUNDS];
  // Each workspace needs an approval for each round, with the warm-up, at each number of connections; and one for the single event.
  const approvals = { each: CONNECTIONS.length * (rounds + 1) + 1, one: approvalsOfOne(share) };
  const stage = await setUpSystem({ metrics, beside, approvals }, cleanup);
  const paths: PathFigures[] = [];
  for (const path of pathNames.filter((name) => parts.includes(name))) {
    for (const connections of CONNECTIONS) {
      const { title } = PATHS[path];
      const pace = { rounds, connections, share };
      progress(`${title} at ${connections} connections: ${rounds} rounds …`);
      const measured = await compare(contestantsOf(path, stage), countOf(path, pace), pace);
      const figures = { path, title, connections, measured };
      console.log(plain(pathsTable([figures])) + partsOf(figures));
      paths.push(figures);
    }
  }
  if (paths.length > 1) console.log(plain(pathsTable(paths)));
  const tables: Record<string, Table> = {};
  for (const part of restNames.filter((name) => parts.includes(name))) {
    const table = await REST[part](stage, share, { rounds, connections: CONNECTIONS[0], share });
    if (table === undefined) continue;
    console.log(plain(table));
    tables[part] = table;
  }
  if (json === undefined) return;
  const measuredAt = new Date().toISOString();
  const figures: Figures = { measuredAt, machine: thisMachine(), isShort: short, rounds, paths, tables };
  for (const file of await writeFigures(json, figures)) progress(`Written: ${file}`);
}

await runCommand('bench', { usage: USAGE, read, run: main });
