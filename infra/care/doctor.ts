import { parseArgs } from 'node:util';
import { printFindings, type Finding } from '@payroll/process';
import { runCommand } from '../local/run-command.js';
import { runningStack, stackDir, type StackDoors } from '../local/stack-file.js';
import { StartupError } from '../local/startup-error.js';
import {
  besideStack,
  freeBeside,
  freeInContainer,
  inContainers,
  lookAtDisk,
  lookAtServices,
  type FreeBytes,
  type RunCommand,
} from './doctor/inside.js';
import { lookAtDoors } from './doctor/doors.js';

const USAGE = `Usage: npm run doctor [-- --project <name>] [--rest <url> --graphql <url> --mcp <url> --auth <url>] [--json]

Examines a deployment and says in plain words what is wrong and what to do about it; exit code 1 if something is. Looked at:
the public addresses (answers, issuer and resource, certificates), readiness of the edges, the disk of NATS, and by each
service with its own rights its database and tables, clock, outbox, dead letters, room in JetStream, streams, replicas and
consumers. Changes nothing.

Without options: the system that npm start runs, or STACK_DIR/stack.json.
  --project <n>  the services of this docker-compose project, asked in their containers
  --rest …       public addresses, where they are not those of stack.json
  --json         for machines
`;

interface Options {
  project?: string | undefined;
  rest?: string | undefined;
  graphql?: string | undefined;
  mcp?: string | undefined;
  auth?: string | undefined;
  json: boolean;
}

function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      project: { type: 'string' },
      rest: { type: 'string' },
      graphql: { type: 'string' },
      mcp: { type: 'string' },
      auth: { type: 'string' },
      json: { type: 'boolean', default: false },
    },
  });
  for (const door of ['rest', 'graphql', 'mcp', 'auth'] as const) {
    const url = values[door];
    if (url !== undefined && !URL.canParse(url)) throw new Error(`--${door} is a URL.`);
  }
  return values;
}

async function examine(options: Options): Promise<Finding[]> {
  const { run, freeBytes } = insideOf(options);
  const looks = [lookAtDoors(doorsOf(options)), lookAtServices(run), lookAtDisk(freeBytes)];
  return (await Promise.all(looks)).flat();
}

function doorsOf(options: Options): StackDoors {
  const stack = runningStack();
  const rest = options.rest ?? stack?.rest.url;
  const graphql = options.graphql ?? stack?.graphql.url;
  if (rest === undefined || graphql === undefined) {
    throw new StartupError('nothing runs here that is known: start it with  npm start, or see --help');
  }
  const [mcp, auth] = [options.mcp ?? stack?.mcp?.url, options.auth ?? stack?.auth?.url];
  return {
    rest: { url: rest },
    graphql: { url: graphql },
    ...(mcp !== undefined && { mcp: { url: mcp } }),
    ...(auth !== undefined && { auth: { url: auth } }),
  };
}

/** Where the processes and NATS are asked. */
function insideOf({ project }: Options): { run: RunCommand; freeBytes: FreeBytes } {
  if (project !== undefined) return { run: inContainers(project), freeBytes: freeInContainer(project) };
  const stack = runningStack();
  if (stack?.postgres === undefined || stack.nats === undefined) {
    throw new StartupError('the services run elsewhere: name their compose project with --project');
  }
  const { postgres, nats } = stack;
  return { run: besideStack(stackDir(), { postgres, nats }), freeBytes: freeBeside(stackDir()) };
}

await runCommand('doctor', {
  usage: USAGE,
  read: readOptions,
  run: async (options) => printFindings(await examine(options), options.json),
});
