import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { repositoryRoot } from '@payroll/infra/processes';
import { count, progress, runCommand } from '@payroll/tools/cli';
import { withFigures } from '../bench/shown/document.js';
import { type Table, markdown, plain } from '../table.js';
import { type Ran, run } from './run.js';
import { otherBuild, patchOf } from './system/other-build.js';

const USAGE = `Usage: npm run torture [-- options]

Breaks a system of its own, with real processes, Postgres and NATS, while many clients work with it at /v1, /mcp and the
graph; then heals it, and judges by what the clients saw and by what Postgres and the payout provider hold. The history of
a run is a file of JSON lines, which is named where something was found. Exit code 1 then; with --fault, where nothing was
found. As root on Linux disks are filled too. A seed repeats the order of the blows, not their moments.

  --seed <n>     which order of blows (default 1)
  --seeds <n>    how many, from that one on (default 1)
  --minutes <n>  how long each is tortured, such as 0.5 (default 5)
  --fault <name> with a fault planted in a copy of our code (lab/torture/planted-faults), which has to be found
  --upgrade-from <ref>  begins with the processes of another commit, and replaces them one by one
  --json <file>  adds the figures to this .json file, and writes their table to the document (.md) beside it
  --help         this text
`;

interface Options {
  seeds: readonly number[];
  minutes: number;
  json: string | undefined;
  fault: string | undefined;
  upgradeFrom: string | undefined;
}

function minutesIn(text: string): number {
  const minutes = Number(text);
  if (!(minutes > 0 && minutes <= 1_440)) throw new Error('--minutes is a number above 0, such as 0.5.');
  return minutes;
}

function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seed: { type: 'string', default: '1' },
      seeds: { type: 'string', default: '1' },
      minutes: { type: 'string', default: '5' },
      json: { type: 'string' },
      fault: { type: 'string' },
      'upgrade-from': { type: 'string' },
    },
  });
  if (values.json !== undefined && !values.json.endsWith('.json')) throw new Error('--json names a .json file.');
  if (values.fault !== undefined) patchOf(values.fault);
  const first = count('--seed', values.seed);
  return {
    seeds: Array.from({ length: count('--seeds', values.seeds) }, (_, n) => first + n),
    minutes: minutesIn(values.minutes),
    json: values.json,
    fault: values.fault,
    upgradeFrom: values['upgrade-from'],
  };
}

async function main({ seeds, minutes, json, fault, upgradeFrom }: Options): Promise<void> {
  await using cleanup = new AsyncDisposableStack();
  if (fault !== undefined || upgradeFrom !== undefined) progress('Building the other version');
  const planted = fault === undefined ? undefined : await otherBuild({ patch: fault }, cleanup);
  const earlier = upgradeFrom === undefined ? undefined : await otherBuild({ ref: upgradeFrom }, cleanup);
  const runs: Ran[] = [];
  for (const seed of seeds) {
    const ran = await run({ seed, minutes, root: planted ?? repositoryRoot, earlier });
    runs.push(ran);
    console.log(describe(ran));
    if (json !== undefined) await addRuns(json, [ran]);
  }
  console.log(plain(figures(runs)));
  const isFound = runs.some(({ findings }) => findings.length > 0);
  process.exitCode = isFound === (fault !== undefined) ? 0 : 1;
}

/** For each violated rule. */
const EXAMPLES = 5;

/** One seed, for a terminal. */
function describe({ seed, approvals, unknowns, lost, drainSeconds, findings, history, faults }: Ran): string {
  const blows = Object.values(faults).reduce((sum, each) => sum + each, 0);
  const told = `seed ${seed}: ${approvals} approvals, ${unknowns} unknown, ${lost} lost by switches, ${blows} faults, drained in ${drainSeconds} s`;
  if (findings.length === 0) return `ok     ${told}`;
  const lines = findings.flatMap(({ rule, what }) => [
    `  not true that ${rule}: ${what.length} found, such as`,
    ...what.slice(0, EXAMPLES).map((each) => `    ${each}`),
  ]);
  return [`WRONG  ${told}`, ...lines, `  its history: ${history}`].join('\n');
}

/** Adds runs to the file, and writes the table of all its runs to the document beside it, if there is one. */
async function addRuns(file: string, runs: readonly Ran[]): Promise<void> {
  const kept = JSON.parse(await readFile(file, 'utf8').catch(() => '[]')) as Ran[];
  const all = [...kept, ...runs];
  await writeFile(file, `[\n${all.map((ran) => JSON.stringify(ran)).join(',\n')}\n]\n`);
  const document = file.replace(/\.json$/, '.md');
  const text = await readFile(document, 'utf8').catch(() => null);
  if (text !== null) await writeFile(document, withFigures(text, markdown(figures(all))));
}

function figures(runs: readonly Ran[]): Table {
  const sum = (of: (ran: Ran) => number): string => String(runs.reduce((all, ran) => all + of(ran), 0));
  const kinds = [...new Set(runs.flatMap(({ faults }) => Object.keys(faults)))].toSorted();
  const rows = [
    ['seeds', String(runs.length)],
    ['approvals acknowledged', sum(({ approvals }) => approvals)],
    ['tries', sum(({ tries }) => tries)],
    ['of them unknown', sum(({ unknowns }) => unknowns)],
    ['retries of what was done, answered from the first time', sum(({ suppressed }) => suppressed)],
    ['approvals lost by switches, named', sum(({ lost }) => lost)],
    ['faults', sum(({ faults }) => Object.values(faults).reduce((all, each) => all + each, 0))],
    ...kinds.map((kind) => [`· ${kind}`, sum(({ faults }) => faults[kind] ?? 0)]),
    ['longest drain', `${Math.max(...runs.map(({ drainSeconds }) => drainSeconds))} s`],
    ['rules that did not hold', sum(({ findings }) => findings.length)],
  ];
  return { title: 'Torture', heads: ['', ''], rows };
}

/** Mounts in-memory disks in a mount namespace that only this command and its children see: they end with it. */
function goApart(): boolean {
  if (process.platform !== 'linux' || userInfo().uid !== 0 || process.env['TORTURE_APART'] !== undefined) return false;
  const args = [
    '--mount',
    '--propagation',
    'private',
    process.execPath,
    fileURLToPath(import.meta.url),
    ...process.argv.slice(2),
  ];
  const { status, error } = spawnSync('unshare', args, {
    stdio: 'inherit',
    env: { ...process.env, TORTURE_APART: '1' },
  });
  if (error) return false;
  process.exitCode = status ?? 1;
  return true;
}

if (!goApart()) await runCommand('torture', { usage: USAGE, read: readOptions, run: main });
