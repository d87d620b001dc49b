import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { fileURLToPath } from 'node:url';
import { count, jsonFile, type OptionKind, options, runCommand } from '@payroll/tools/cli';
import { markdown, plain, type Table, writeInto } from '../table.js';
import type { Ran } from './run.js';
import { plantedFault, rootWith } from './system/other-build.js';

const USAGE = `Usage: npm run torture [-- options]

Breaks a system of its own, with real processes, Postgres and NATS, while many clients work with it at /v1, /mcp and the
graph; then heals it, and judges by what the clients saw and by what Postgres and the payout provider hold. The history of
a run is a file of JSON lines, which is named where something was found. Exit code 1 then; with --fault, where nothing was
found. As root on Linux disks are filled too. A seed repeats the order of the faults, not their moments.

  --seed <n>     which order of faults (default 1)
  --seeds <n>    how many, from that one on (default 1)
  --minutes <n>  how long each is tortured, such as 0.5 (default 5)
  --fault <name> with a fault planted in a copy of our code (lab/torture/planted-faults), which has to be found
  --json <file>  adds the figures to this .json file, and writes their table to the document (.md) beside it
  --help         this text
`;

const minutes: OptionKind<number> = {
  type: 'string',
  read: ([given = '5'], option) => {
    const value = Number(given);
    if (!(value > 0 && value <= 1_440)) throw new Error(`${option} is a number above 0, such as 0.5.`);
    return value;
  },
};
const read = options({ seed: count(1), seeds: count(1), minutes, json: jsonFile, fault: plantedFault });

async function main({ seed: first, seeds, minutes, json, fault }: ReturnType<typeof read>): Promise<void> {
  await using cleanup = new AsyncDisposableStack();
  // Not loaded for --help: it imports most of our code.
  const { run } = await import('./run.js');
  const root = await rootWith(fault, cleanup);
  const runs: Ran[] = [];
  for (let seed = first; seed < first + seeds; seed++) {
    const ran = await run({ seed, minutes, root });
    runs.push(ran);
    console.log(describe(ran));
    if (json !== undefined) await addRun(json, ran);
  }
  console.log(plain(figures(runs)));
  const isFound = runs.some(({ findings }) => findings.length > 0);
  process.exitCode = isFound === (fault !== undefined) ? 0 : 1;
}

/** For each violated rule. */
const EXAMPLES = 5;

/** One seed, for a terminal. */
function describe({ seed, approvals, unknowns, lost, drainSeconds, findings, history, faults }: Ran): string {
  const injected = Object.values(faults).reduce((sum, each) => sum + each, 0);
  const told = `seed ${seed}: ${approvals} approvals, ${unknowns} unknown, ${lost} lost by switches, ${injected} faults, drained in ${drainSeconds} s`;
  if (findings.length === 0) return `ok     ${told}`;
  const lines = findings.flatMap(({ rule, what }) => [
    `  not true that ${rule}: ${what.length} found, such as`,
    ...what.slice(0, EXAMPLES).map((each) => `    ${each}`),
  ]);
  return [`WRONG  ${told}`, ...lines, `  its history: ${history}`].join('\n');
}

/** Adds a run to the file, and writes the table of all its runs to the document beside it, if there is one. */
async function addRun(file: string, ran: Ran): Promise<void> {
  const all = [...(JSON.parse(await readFile(file, 'utf8').catch(() => '[]')) as Ran[]), ran];
  await writeFile(file, `[\n${all.map((ran) => JSON.stringify(ran)).join(',\n')}\n]\n`);
  await writeInto(file.replace(/\.json$/, '.md'), 'figures', markdown(figures(all)));
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
function inMountNamespace(): boolean {
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

if (!inMountNamespace()) await runCommand('torture', { usage: USAGE, read, run: main });
