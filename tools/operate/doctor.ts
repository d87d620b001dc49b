import { printResults, type CheckResult, StartError } from '@payroll/runtime';
import { flag, options, runCommand, text } from '../cli.js';
import { runningStack, type StackEndpoints } from '../local/stack-file.js';
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

/** Public addresses. */
const url: typeof text = {
  type: 'string',
  read: ([given], option) => {
    if (given !== undefined && !URL.canParse(given)) throw new Error(`${option} is a URL.`);
    return given;
  },
};
const ENDPOINTS = { rest: url, graphql: url, mcp: url, auth: url };
const read = options({ project: text, ...ENDPOINTS, json: flag });

type Options = ReturnType<typeof read>;

async function examine(given: Options): Promise<CheckResult[]> {
  const looks = [
    checkPublicEndpoints(endpointsOf(given)),
    checkServices(insideOf(given.project)),
    checkAlerts(given.project),
  ];
  return (await Promise.all(looks)).flat();
}

function endpointsOf(given: Options): StackEndpoints {
  const stack = runningStack();
  const endpoint = (name: keyof typeof ENDPOINTS) => {
    const address = given[name] ?? stack?.[name]?.url;
    return address === undefined ? undefined : { url: address };
  };
  const [rest, graphql] = [endpoint('rest'), endpoint('graphql')];
  if (rest === undefined || graphql === undefined) {
    throw new StartError('nothing runs here that is known: start it with  npm start, or see --help');
  }
  return { rest, graphql, mcp: endpoint('mcp'), auth: endpoint('auth') };
}

await runCommand('doctor', {
  usage: USAGE,
  read,
  run: async (given) => printResults(await examine(given), given.json),
});
