import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { printFindings, type Finding } from '@payroll/process';
import { repositoryRoot } from '../local/repository-root.js';
import { runningStack } from '../local/running-stack.js';
import { StartupError } from '../local/startup-error.js';
import { lookAtDoors } from './doctor/doors.js';
import { besideStack, inContainers, lookAtServices, type RunCommand } from './doctor/services.js';

const USAGE = `Usage: npm run doctor [-- --project <name>] [--rest <url> --graphql <url> --mcp <url> --auth <url>] [--json]

Examines a deployment and says in plain words what is wrong and what to do about it; exit code 1 if something is. Looked at:
the public addresses (answers, issuer and resource, certificates), readiness of the edges, and by each service with its own
rights its database, clock, outbox, dead letters, streams, replicas and consumers. Changes nothing.

Without options: the system that npm start runs, or STACK_DIR/stack.json.
  --project <n>  the services of this docker-compose project, asked in their containers
  --rest …       public addresses, where they are not those of stack.json
  --json         for machines
`;

const { values } = parseArgs({
  options: {
    project: { type: 'string' },
    rest: { type: 'string' },
    graphql: { type: 'string' },
    mcp: { type: 'string' },
    auth: { type: 'string' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

async function examine(): Promise<Finding[]> {
  const stack = runningStack();
  const rest = values.rest ?? stack?.rest.url;
  const graphql = values.graphql ?? stack?.graphql.url;
  if (rest === undefined || graphql === undefined) {
    throw new StartupError('nothing runs here that is known: start it with  npm start, or see --help');
  }
  const [mcp, auth] = [values.mcp ?? stack?.mcp?.url, values.auth ?? stack?.auth?.url];
  const doors = {
    rest: { url: rest },
    graphql: { url: graphql },
    ...(mcp !== undefined && { mcp: { url: mcp } }),
    ...(auth !== undefined && { auth: { url: auth } }),
  };
  const [atDoors, atServices] = await Promise.all([lookAtDoors(doors), lookAtServices(runCommand())]);
  return [...atDoors, ...atServices];
}

function runCommand(): RunCommand {
  if (values.project !== undefined) return inContainers(values.project);
  const stack = runningStack();
  if (stack?.postgres === undefined || stack.nats === undefined || stack.processes === undefined) {
    throw new StartupError('the services run elsewhere: name their compose project with --project');
  }
  const { postgres, nats, processes } = stack;
  const dir = process.env['STACK_DIR'] ?? join(repositoryRoot, '.local');
  return besideStack(dir, { ...stack, postgres, nats, processes });
}

try {
  if (values.help) process.stdout.write(USAGE);
  else printFindings(await examine(), values.json);
} catch (error) {
  process.stderr.write(`doctor: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
