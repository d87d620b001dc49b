import { runCommand } from '../local/run-command.js';
import { ALONE, measureEvents } from './events/events.js';
import { writeFigures } from './shown/document.js';
import { thisMachine, type Figures, type PathFigures } from './shown/figures.js';
import { measureGrowth } from './growth/growth.js';
import { compare, requestsOf, type Pace } from './measure.js';
import { measureMemory } from './memory.js';
import { readOptions, USAGE, type Options, type PartName } from './options.js';
import { APPROVALS, pathNames, pathsOver } from './paths.js';
import { measurePages } from './pages/pages.js';
import { measureReplicas } from './replicas/replicas.js';
import { pathsTable, report } from './shown/report.js';
import { plain } from './shown/table.js';
import { setStage, type Stage } from './stage.js';

const SHORT = 0.1;
/** Where one is measured and not several: as many integrators at once. */
const CONNECTIONS = 32;

async function main(options: Options): Promise<void> {
  await using cleanup = new AsyncDisposableStack();
  const approvals = approvalsOf(options);
  const stage = await setStage({ metrics: options.metrics, approvals, progress }, cleanup);
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
  const paths = pathsOver(stage.doors, stage.work);
  const seen: PathFigures[] = [];
  for (const path of pathNames.filter((name) => options.parts.includes(name))) {
    for (const connections of options.connections) {
      const { title } = paths[path];
      progress(`${title} at ${connections} connections: ${options.rounds} rounds …`);
      const measured = await compare(paths[path], paceOf(options, connections, stage));
      const figures = { path, title, connections, measured };
      console.log(report(figures));
      seen.push(figures);
    }
  }
  return seen;
}

/** What no path shows. The largest tables come last: nothing but what they are for is measured beside them. */
async function measureRest(stage: Stage, options: Options) {
  const pace = paceOf(options, CONNECTIONS, stage);
  const wanted = (part: PartName): boolean => options.parts.includes(part);
  return {
    ...(wanted('events') && { events: await measureEvents(stage, pace.share) }),
    ...(wanted('replicas') && { replicas: await measureReplicas(stage, pace) }),
    ...(wanted('memory') && { memory: await measureMemory(stage, pace.share) }),
    ...(wanted('pages') && { pages: await measurePages(stage, pace.share) }),
    ...(wanted('growth') && { growth: await measureGrowth(stage, pace.share) }),
  };
}

function paceOf(options: Options, connections: number, { backends }: Stage): Pace {
  return { rounds: options.rounds, connections, share: shareOf(options), backends };
}

const shareOf = ({ isShort }: Options): number => (isShort ? SHORT : 1);

/** How many timesheets each side will have to approve. */
function approvalsOf(options: Options): number {
  const { connections, parts, rounds } = options;
  const ofPath = connections
    .map((each) => requestsOf({ count: () => APPROVALS }, { rounds, connections: each, share: shareOf(options) }).all)
    .reduce((sum, each) => sum + each, 0);
  const ways = parts.filter((part) => part === 'approve' || part === 'internal').length;
  return ways * ofPath + (parts.includes('events') ? ALONE : 0);
}

function progress(text: string): void {
  process.stderr.write(`${text}\n`);
}

await runCommand('bench', { usage: USAGE, read: readOptions, run: main });
