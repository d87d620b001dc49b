import { parseArgs } from 'node:util';
import { StartError } from '@payroll/runtime';
import { runCommand } from '../cli.js';
import { runningStack } from '../local/stack-file.js';
import { ask, type sendGraphql } from './graphql-client.js';

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
  throw new StartError('nothing runs here: start it with  npm start, or set GRAPHQL_URL, TOKEN and WORKSPACE');
}

type Access = Parameters<typeof sendGraphql>[0];

/** An action of someone outside the workspace, and its options. */
interface Act {
  takes: readonly string[];
  /** @returns the subject in its new state */
  do: (access: Access, given: Readonly<Record<string, string>>) => Promise<object>;
}

const TIMESHEET = `mutation ($input: TimesheetInput!) {
  sandboxSubmitTimesheet(input: $input) { id status version total { amount currency } paymentScheduledDate } }`;
const MILESTONE = `mutation ($id: ID!) {
  sandboxSubmitMilestone(id: $id) { id status version amount { amount currency } } }`;
const READ_AGREEMENT = 'query ($id: ID!) { contract(id: $id) { revision agreement { digest } } }';
const SIGN = `mutation ($id: ID!, $expectedRevision: Int!, $digest: String!) {
  sandboxSignAsWorker(id: $id, expectedRevision: $expectedRevision, digest: $digest) { id status } }`;
const FUND = `mutation ($amount: Decimal!, $currency: String!) {
  sandboxFund(amount: $amount, currency: $currency) { amount currency } }`;
const VERIFY = 'mutation { sandboxVerifyBusiness { id kybStatus } }';
const MAKE_DUE = 'mutation ($payment: ID!) { sandboxMakeDue(paymentId: $payment) { id status scheduledDate } }';
const DAYS_AHEAD = 'query { sandboxDaysAhead }';
/** Payments last, because it is read back. */
const ADVANCE = `mutation ($daysAhead: Int!) {
  reviews: sandboxMoveReviewCalendar(daysAhead: $daysAhead) payments: sandboxMovePaymentCalendar(daysAhead: $daysAhead) }`;
const FINISH = `mutation ($payment: ID!, $outcome: SandboxOutcome!) {
  sandboxFinishPayout(paymentId: $payment, outcome: $outcome) { id status } }`;

const finish = (outcome: string): Act => ({
  takes: ['payment'],
  do: (access, { payment }) => ask(access, FINISH, { payment, outcome }),
});

const ACTS: Readonly<Record<string, Act>> = {
  'submit-timesheet': {
    takes: ['contract', 'from', 'to', 'units'],
    do: (access, { contract: contractId, from: periodStart, to: periodEnd, units: unitsWorked }) =>
      ask(access, TIMESHEET, { input: { contractId, periodStart, periodEnd, unitsWorked } }),
  },
  'submit-milestone': { takes: ['milestone'], do: (access, { milestone: id }) => ask(access, MILESTONE, { id }) },
  sign: { takes: ['contract'], do: (access, { contract }) => sign(access, contract!) },
  fund: { takes: ['amount', 'currency'], do: (access, amount) => ask(access, FUND, amount) },
  'verify-business': { takes: [], do: (access) => ask(access, VERIFY) },
  'make-due': { takes: ['payment'], do: (access, payment) => ask(access, MAKE_DUE, payment) },
  advance: { takes: ['days'], do: (access, { days }) => advance(access, Number(days)) },
  settle: finish('settled'),
  decline: finish('declined'),
};

/** Signs the current text. */
async function sign(access: Access, id: string): Promise<object> {
  interface Read {
    revision: number;
    agreement: { digest: string };
  }
  const contract = await ask<Read | null>(access, READ_AGREEMENT, { id });
  if (contract === null) throw new Error(`there is no contract ${id} in this workspace`);
  return await ask(access, SIGN, { id, expectedRevision: contract.revision, digest: contract.agreement.digest });
}

/** Days in addition to the current ones. */
async function advance(access: Access, days: number): Promise<object> {
  if (!Number.isInteger(days) || days < 1) throw new Error('--days is a whole number above zero.');
  const daysAhead = days + (await ask<number>(access, DAYS_AHEAD));
  await ask(access, ADVANCE, { daysAhead });
  return { daysAhead };
}

await runCommand('sandbox', { usage: USAGE, read: readOptions, run: main });
