import { parseArgs } from 'node:util';
import { runCommand } from '../cli.js';
import { runningStack } from '../local/stack-file.js';
import { StartupError } from '../startup-error.js';
import { ACTS } from './sandbox-acts.js';

const USAGE = `Usage: npm run --silent sandbox -- <act> --<what> <value> …

Does what people outside a workspace do, so that an integration can be tested to its end. In a test deployment only: a live one
refuses. Prints what it was about, as it is then, as JSON.

  submit-timesheet --contract <id> --from <day> --to <day> --units <n>   the worker hands in a timesheet
  submit-milestone --milestone <id>            the worker hands in a milestone
  sign --contract <id>                         the worker signs the agreement as it stands
  fund --amount <n> --currency <code>          money arrives
  verify-business                              the verification of the business ends well
  make-due --payment <id>                      its day comes: it is due today
  advance --days <n>                           the calendar of the workspace moves on: what is due by then is done
  settle --payment <id>                        the provider settles the payout that is under way
  decline --payment <id>                       the provider declines it

  --workspace <id>                 default: the first demo workspace
  GRAPHQL_URL, TOKEN, WORKSPACE    of another system than the one that npm start runs; a service token
`;

interface Asked {
  act: string;
  given: Readonly<Record<string, string>>;
  workspace: string | undefined;
}

function readOptions(args: readonly string[]): Asked {
  const [act = '', ...rest] = args;
  const known = Object.hasOwn(ACTS, act) ? ACTS[act] : undefined;
  if (!known) throw new Error(act === '' ? 'what is to be done?' : `there is no act "${act}".`);
  const names = [...known.takes, 'workspace'];
  const options = Object.fromEntries(names.map((name) => [name, { type: 'string' } as const]));
  const { workspace, ...given } = parseArgs({ args: rest, options }).values as Record<string, string>;
  const missing = known.takes.find((name) => given[name] === undefined);
  if (missing !== undefined) throw new Error(`--${missing} is missing.`);
  return { act, given, workspace };
}

async function main({ act, given, workspace }: Asked): Promise<void> {
  const access = accessTo(workspace);
  const done = await ACTS[act]!.do(access, given);
  process.stdout.write(`${JSON.stringify(done, null, 2)}\n`);
}

function accessTo(workspace: string | undefined): { url: string; token: string; workspaceId: string } {
  const { GRAPHQL_URL: url, TOKEN: token, WORKSPACE: named } = process.env;
  const stack = url && token ? undefined : runningStack();
  const access = stack ? { url: stack.graphql.url, token: stack.graphql.token } : { url, token };
  const workspaceId = workspace ?? named ?? stack?.workspaces?.[0]?.id;
  if (access.url && access.token && workspaceId) return { url: access.url, token: access.token, workspaceId };
  throw new StartupError('nothing runs here: start it with  npm start, or set GRAPHQL_URL, TOKEN and WORKSPACE');
}

await runCommand('sandbox', { usage: USAGE, read: readOptions, run: main });
