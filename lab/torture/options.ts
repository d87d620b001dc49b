import { parseArgs } from 'node:util';
import { count } from '@payroll/tools/cli';
import { patchOf } from './stage/other-build.js';

export const USAGE = `Usage: npm run torture [-- options]

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

export interface Options {
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

export function readOptions(args: readonly string[]): Options {
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
