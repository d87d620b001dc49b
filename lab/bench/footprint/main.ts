import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { Profiler } from 'node:inspector';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type GraphqlAccess, accessTo, ask } from '@payroll/tools/demo/graphql-client';
import { ASSIGN_WORKER, CREATE_DRAFT, stepsTo } from '@payroll/tools/demo/operations';
import { type Submitted, contractIn, hourly, registerWorker, submitWeek } from '@payroll/tools/demo/steps';
import type { StackFile } from '@payroll/tools/local/stack-file';
import { seedDemo } from '@payroll/tools/demo/seed';
import { startGuardian } from '@payroll/tools/local/guardian';
import { processes, repositoryRoot } from '@payroll/infra/processes';
import { options, progress, runCommand, text } from '@payroll/tools/cli';
import { startThrowAwayStack } from '@payroll/tools/local/stack';
import { load, settled } from '../measure.js';
import { signedIn } from '../pages.js';
import { PATHS, type PathName } from '../paths.js';
import { startCheckout } from '../programs.js';
import { markdown, plain, writeInto } from '../../table.js';
import { until } from '../../until.js';
import {
  type Footprint,
  type Functions,
  common,
  enteredOf,
  footprintTable,
  linesOf,
  seenOf,
  union,
} from './footprint.js';

/** A request that is sent several times, and the processes in which it is counted if these are not all. */
export interface Asked {
  name: string;
  send: () => Promise<unknown>;
  in?: readonly string[];
}

/**
 * One request of each kind, in the demo's first workspace. Resources for requests that work once are prepared `times`
 * times.
 */
export async function requestsTo(file: StackFile, times: number): Promise<Asked[]> {
  const [workspace] = file.workspaces!;
  const { id, apiKeys, mcpTokens } = workspace!;
  const access = accessTo(file.graphql, id);
  const { drafts, timesheets } = await prepare(access, times);
  const sender = (url: string, prefix: string, bearer: string) => {
    const keys = [{ authorization: `Bearer ${bearer}` }];
    const side = { prefix, workspaces: [{ keys, timesheets, contractIds: [] }] };
    const { origin } = new URL(url);
    return (path: PathName) => () =>
      load(origin, { connections: 1, count: 1, request: (n) => PATHS[path].ask(side, n) });
  };
  const v1 = sender(file.rest.url, '/v1', apiKeys.admin);
  const mcp = sender(file.mcp!.url, '', mcpTokens!.admin);
  const visitor = await signedIn(file.app!.url, workspace!, 'admin');
  const [submit = ''] = stepsTo('pending_verification');
  const tell = () => ask(access, submit, { id: drafts.pop()! });
  return [
    { name: 'approve a timesheet', send: v1('approve') },
    { name: 'list timesheets', send: v1('list') },
    { name: 'one timesheet', send: v1('get') },
    { name: 'one event (contract.changed), where it is applied', send: tell, in: ['review', 'payments'] },
    { name: 'the tool get_timesheet', send: mcp('mcp') },
    { name: 'the page /review', send: () => visitor.open(`/workspaces/${id}/review`) },
    { name: 'no request', send: () => Promise.resolve() },
  ];
}

/** Drafts that can be submitted for verification, and timesheets that can be approved, with one more to read. */
async function prepare(access: GraphqlAccess, times: number) {
  const worker = await registerWorker(access, 'Mara Measured', 'bench.example');
  const contractId = await contractIn(access, worker, hourly('Measured', 'EUR', '50'), 'active');
  const timesheets: Submitted[] = [await submitWeek(access, contractId, times, '40')];
  const drafts: string[] = [];
  for (let n = 0; n < times; n++) {
    timesheets.push(await submitWeek(access, contractId, n, '40'));
    const { id } = await ask<{ id: string }>(access, CREATE_DRAFT, { input: hourly(`Draft ${n}`, 'EUR', '50') });
    await ask(access, ASSIGN_WORKER, { id, workerId: worker.id });
    drafts.push(id);
  }
  return { drafts, timesheets };
}

const USAGE = `Usage: npm run footprint [-- options]

Counts what runs: for one request of each kind, once the system is warm, the files, the functions and the lines of the
functions that are entered, over all processes and from the request until they rest. Counted by V8 (precise coverage of
functions) in the JavaScript that tsc writes, without libraries, comments and empty lines: code that is moved to another
file counts the same. What runs in the same time without a request is its last row. Starts a system of its own on free
ports, with data of its own. Needs Linux (/proc).

  --of <dir>     of another checkout. It must be installed and built, and have no .local yet; its npm start is run, and
                 .local goes at the end
  --json <file>  writes the counts to this file, with the lines of each file, and their table into a performance.md
                 beside it that has a place for it
  --help         this text
`;

const read = options({ of: text, json: text });

const WARM_UP = 10;
/** Number of repetitions; a request counts the functions that were entered in each. */
const TIMES = 5;

async function main({ of, json }: ReturnType<typeof read>): Promise<void> {
  await using cleanup = new AsyncDisposableStack();
  const dir = await mkdtemp(join(tmpdir(), 'payroll-footprint-'));
  cleanup.defer(() => rm(dir, { recursive: true, force: true }));
  const root = of === undefined ? repositoryRoot : resolve(of);
  const file = await start(of, recorderOf(root, dir), dir, cleanup);
  const recorded = new Recorded(dir, file.processes);
  const footprints: Footprint[] = [];
  for (const asked of await requestsTo(file, WARM_UP + TIMES)) {
    progress(`${asked.name} …`);
    footprints.push(footprintOf(asked, await recorded.during(asked), recorded.seen, root));
  }
  console.log(plain(footprintTable(footprints)));
  if (json === undefined) return;
  await writeFile(json, `${JSON.stringify(footprints, null, 2)}\n`);
  await writeInto(join(dirname(json), 'performance.md'), 'footprint', markdown(footprintTable(footprints)));
}

function recorderOf(root: string, dir: string): Record<string, string> {
  const url = pathToFileURL(join(repositoryRoot, 'lab/dist/bench/footprint/recorder.js'));
  url.search = String(new URLSearchParams({ root, dir }));
  return { NODE_OPTIONS: `--import=${url.href}` };
}

async function start(
  of: string | undefined,
  env: Record<string, string>,
  dir: string,
  cleanup: AsyncDisposableStack,
): Promise<StackFile> {
  if (of !== undefined)
    return await startCheckout(of, { dir, guardian: cleanup.use(await startGuardian()), cleanup }, env);
  const each = Object.fromEntries(processes.map(({ name }) => [name, env]));
  return cleanup.use(await startThrowAwayStack('footprint', seedDemo, progress, { env: each })).file;
}

/** The functions entered, by process name. */
type ByProcess = ReadonlyMap<string, Functions>;

class Recorded {
  /** Every function reported so far. */
  seen: Functions = new Map();

  constructor(
    private readonly dir: string,
    private readonly pids: Readonly<Record<string, number>>,
  ) {}

  async during({ send, in: counted = Object.keys(this.pids) }: Asked): Promise<ByProcess> {
    for (let n = 0; n < WARM_UP; n++) await send();
    const times: ByProcess[] = [];
    for (let n = 0; n < TIMES; n++) {
      await this.take();
      await send();
      times.push(await this.take());
    }
    return new Map(counted.map((name) => [name, common(times.map((each) => each.get(name)!))]));
  }

  /** Functions entered since the last call. Waits until all processes are idle. */
  private async take(): Promise<ByProcess> {
    await settled(() => Object.values(this.pids));
    const taken = await Promise.all(
      Object.entries(this.pids).map(async ([name, pid]) => [name, await this.takeOf(pid)] as const),
    );
    this.seen = union([this.seen, ...taken.map(([, scripts]) => seenOf(scripts))]);
    return new Map(taken.map(([name, scripts]) => [name, enteredOf(scripts)]));
  }

  private async takeOf(pid: number): Promise<Profiler.ScriptCoverage[]> {
    const file = join(this.dir, `${pid}.json`);
    await rm(file, { force: true });
    process.kill(pid, 'SIGUSR2');
    const text = await until(() => readFile(file, 'utf8').catch(() => undefined), { everyMs: 10 });
    return JSON.parse(text!) as Profiler.ScriptCoverage[];
  }
}

function footprintOf({ name }: Asked, entered: ByProcess, seen: Functions, root: string): Footprint {
  const linesIn = ([url, found]: readonly [string, ReadonlySet<string>]): number =>
    linesOf(readFileSync(fileURLToPath(url), 'utf8'), found, seen.get(url)!);
  const all = [...union([...entered.values()])];
  const files = all.map((each) => [relative(root, fileURLToPath(each[0])), linesIn(each)] as const);
  const processes = [...entered].map(([process, functions]) => [process, sum([...functions].map(linesIn))] as const);
  return {
    ...{ name, functions: sum(all.map(([, found]) => found.size)), lines: sum(files.map(([, lines]) => lines)) },
    files: Object.fromEntries(files.toSorted(([one], [other]) => (one < other ? -1 : 1))),
    linesByProcess: Object.fromEntries(processes.filter(([, lines]) => lines > 0)),
  };
}

const sum = (values: readonly number[]): number => values.reduce((total, each) => total + each, 0);

await runCommand('footprint', { usage: USAGE, read, run: main });
