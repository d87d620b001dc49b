import { parseArgs } from 'node:util';
import { count } from '@payroll/tools/cli';
import { pathNames } from './paths.js';

/** The parts that can be measured: each path, and what no path covers. */
const partNames = [...pathNames, 'one-workspace', 'events', 'replicas', 'memory', 'pages', 'space', 'growth'] as const;
export type PartName = (typeof partNames)[number];

export const USAGE = `Usage: npm run bench [-- options]

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

export interface Options {
  parts: readonly PartName[];
  rounds: number;
  connections: readonly number[];
  isShort: boolean;
  metrics: boolean;
  beside: string | undefined;
  json: string | undefined;
}

export function readOptions(args: readonly string[]): Options {
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
    parts: values.path?.map(partName) ?? partNames,
    rounds: count('--rounds', values.rounds ?? (values.short ? '1' : '3')),
    connections: values.connections.map((text) => count('--connections', text)),
    isShort: values.short,
    metrics: values.metrics,
    beside: values.beside,
    json: values.json,
  };
}

function partName(text: string): PartName {
  const name = partNames.find((each) => each === text);
  if (name === undefined) throw new Error(`--path is one of: ${partNames.join(', ')}`);
  return name;
}
