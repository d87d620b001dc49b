import { parseArgs } from 'node:util';
import { printResults, type CheckResult } from '@payroll/runtime';
import { runCommand } from '../cli.js';
import { runningStack, type StackEndpoints } from '../local/stack-file.js';
import { StartupError } from '../startup-error.js';
import { checkAlerts } from './doctor/alerts.js';
import { insideOf, checkServices } from './doctor/inside.js';
import { checkPublicEndpoints } from './doctor/doors.js';

const USAGE = `Usage: npm run doctor [-- --project <name>] [--rest <url> --graphql <url> --mcp <url> --auth <url>] [--json]

Examines a deployment and says in plain words what is wrong and what to do about it; exit code 1 if something is. Looked at:
the public addresses (answers, issuer and resource, certificates), readiness of the edges, and by each service with its own
rights its database and tables, clock, outbox, dead letters and connection to NATS; of a compose project with the profile
"monitoring" also whether Alertmanager sends alerts on. Changes nothing.

Without options: the system that npm start runs, or STACK_DIR/stack.json.
  --project <n>  the services of this docker-compose project, asked in their containers
  --rest …       public addresses, where they are not those of stack.json
  --json         for machines
`;

const DOORS = {
  rest: { type: 'string' },
  graphql: { type: 'string' },
  mcp: { type: 'string' },
  auth: { type: 'string' },
} as const;

type Options = ReturnType<typeof readOptions>;

function readOptions(args: readonly string[]) {
  const { values } = parseArgs({
    args: [...args],
    options: { project: { type: 'string' }, ...DOORS, json: { type: 'boolean', default: false } },
  });
  for (const door of Object.keys(DOORS) as (keyof typeof DOORS)[]) {
    const url = values[door];
    if (url !== undefined && !URL.canParse(url)) throw new Error(`--${door} is a URL.`);
  }
  return values;
}

async function examine(options: Options): Promise<CheckResult[]> {
  const looks = [
    checkPublicEndpoints(doorsOf(options)),
    checkServices(insideOf(options.project)),
    checkAlerts(options.project),
  ];
  return (await Promise.all(looks)).flat();
}

function doorsOf(options: Options): StackEndpoints {
  const stack = runningStack();
  const door = (name: keyof typeof DOORS) => {
    const url = options[name] ?? stack?.[name]?.url;
    return url === undefined ? undefined : { url };
  };
  const [rest, graphql] = [door('rest'), door('graphql')];
  if (rest === undefined || graphql === undefined) {
    throw new StartupError('nothing runs here that is known: start it with  npm start, or see --help');
  }
  return { rest, graphql, mcp: door('mcp'), auth: door('auth') };
}

await runCommand('doctor', {
  usage: USAGE,
  read: readOptions,
  run: async (options) => printResults(await examine(options), options.json),
});
