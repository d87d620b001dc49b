import { parseArgs } from 'node:util';
import { count } from '../local/run-command.js';
import { pathNames, type PathName } from './paths.js';

export const USAGE = `Usage: npm run bench [-- options]

Compares /v1 with a bare Fastify + pg handler that does the same admission and data statements, in one run on this
machine: CPU per request over all our processes, requests per second, latencies. Starts a system of its own on free
ports, with data of its own. Needs Linux (/proc). Nothing fails for being slow.

  --path <name>        one path only (may be repeated): ${pathNames.join(', ')}
  --rounds <n>         how often each is measured; the median is shown (default 3)
  --connections <n>    at how many connections (may be repeated; default 32 and 2)
  --metrics            every process serves its metrics, as in docker-compose
  --help               this text
`;

export interface Options {
  paths: readonly PathName[];
  rounds: number;
  connections: readonly number[];
  metrics: boolean;
}

/** @throws Error saying what is wrong with an argument. */
export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      path: { type: 'string', multiple: true },
      rounds: { type: 'string', default: '3' },
      connections: { type: 'string', multiple: true, default: ['32', '2'] },
      metrics: { type: 'boolean', default: false },
    },
  });
  return {
    paths: values.path?.map(pathName) ?? pathNames,
    rounds: count('--rounds', values.rounds),
    connections: values.connections.map((text) => count('--connections', text)),
    metrics: values.metrics,
  };
}

function pathName(text: string): PathName {
  const name = pathNames.find((each) => each === text);
  if (name === undefined) throw new Error(`--path is one of: ${pathNames.join(', ')}`);
  return name;
}
