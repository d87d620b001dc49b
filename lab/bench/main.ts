import { runCommand } from '@payroll/tools/cli';
import { measureEvents } from './events/events.js';
import { writeFigures } from './shown/document.js';
import { thisMachine, type Figures, type PathFigures } from './shown/figures.js';
import { measureGrowth } from './growth/growth.js';
import { compare, type Pace } from './measure.js';
import { measureMemory } from './memory.js';
import { readOptions, USAGE, type Options, type PartName } from './options.js';
import { approvalsOfOne, measureOneWorkspace } from './one-workspace.js';
import { contestantsOf, countOf, pathNames, PATHS } from './paths.js';
import { measurePages } from './pages/pages.js';
import { measureReplicas } from './replicas/replicas.js';
import { pathsTable, report } from './shown/report.js';
import { plain } from './shown/table.js';
import { measureSpace } from './space.js';
import { setUpSystem, type Stage } from './stage.js';
import type { Approvals } from './workspaces.js';

const SHORT = 0.1;
/** Used when a single level of concurrency is measured. */
const CONNECTIONS = 32;

async function main(options: Options): Promise<void> {
  await using cleanup = new AsyncDisposableStack();
  const { metrics, beside } = options;
  const stage = await setUpSystem({ metrics, beside, approvals: approvalsOf(options), progress }, cleanup);
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

function progress(text: string): void {
  process.stderr.write(`${text}\n`);
}

await runCommand('bench', { usage: USAGE, read: readOptions, run: main });
