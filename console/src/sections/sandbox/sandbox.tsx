import { DomainError, notFound, throwIfInvalid } from '@payroll/kernel';
import { type PageResponse, type PageView, problemsOf, type SentForm, textOf } from '@payroll/pages';
import type { ConsoleContext } from '../../console-context.js';
import type { RouteTable } from '../../routes.js';
import { requireRole, searchIn, type WorkspaceContext, operationIn } from '../../workspace-context.js';
import { graphql, type GraphqlOperation } from '../../operations.js';
import { Forms, readPlayable } from './forms.js';

const ONCE = '$operationId: ID!';
const SENT = 'operationId: $operationId';

const fund = graphql(`
  mutation sandboxFund($amount: Decimal!, $currency: String!, ${ONCE}) {
    sandboxFund(amount: $amount, currency: $currency, ${SENT}) { amount }
  }`);

const verifyBusiness = graphql(`mutation sandboxVerifyBusiness(${ONCE}) { sandboxVerifyBusiness(${SENT}) { id } }`);

const givePayee = graphql(`
  mutation givePayee($workerId: ID!, $destination: String!, ${ONCE}) {
    registerPayee(workerId: $workerId, payoutMethod: other, destination: $destination, ${SENT}) { id }
  }`);

const verifyPayee = graphql(`
  mutation sandboxVerifyPayee($id: ID!, $expectedVersion: String!, ${ONCE}) {
    sandboxVerifyPayee(id: $id, expectedVersion: $expectedVersion, ${SENT}) { id }
  }`);

const signAsWorker = graphql(`
  mutation sandboxSignAsWorker($id: ID!, $expectedRevision: Int!, $digest: String!, ${ONCE}) {
    sandboxSignAsWorker(id: $id, expectedRevision: $expectedRevision, digest: $digest, ${SENT}) { id }
  }`);

const submitTimesheet = graphql(`
  mutation sandboxSubmitTimesheet($input: TimesheetInput!, ${ONCE}) {
    sandboxSubmitTimesheet(input: $input, ${SENT}) { id }
  }`);

const submitMilestone = graphql(
  `mutation sandboxSubmitMilestone($id: ID!, ${ONCE}) { sandboxSubmitMilestone(id: $id, ${SENT}) { id } }`,
);

const makeDue = graphql(
  `mutation sandboxMakeDue($id: ID!, ${ONCE}) { sandboxMakeDue(paymentId: $id, ${SENT}) { id } }`,
);

/** The calendar of payments last: it is the one that is shown. */
const moveCalendar = graphql(`
  mutation sandboxMoveCalendar($daysAhead: Int!, ${ONCE}) {
    reviews: sandboxMoveReviewCalendar(daysAhead: $daysAhead, ${SENT})
    payments: sandboxMovePaymentCalendar(daysAhead: $daysAhead, ${SENT})
  }`);

const finishPayout = graphql(`
  mutation sandboxFinishPayout($id: ID!, $outcome: SandboxOutcome!, ${ONCE}) {
    sandboxFinishPayout(paymentId: $id, outcome: $outcome, ${SENT}) { id }
  }`);

/** A simulated event of the test deployment; `done` is the notice after it. */
interface SandboxAction {
  done: string;
  play: (visit: WorkspaceContext, form: SentForm, operationId: string) => Promise<unknown>;
}

/** The value of a choice also has the version or revision that was seen, separated by `|`. */
function partsOf(form: SentForm, field: string): string[] {
  return textOf(form, field).split('|');
}

/** A decimal with a point or a comma, as people type it. @throws DomainError `VALIDATION_FAILED` */
function decimalIn(form: SentForm, field: string): string {
  const text = textOf(form, field).trim().replace(',', '.');
  throwIfInvalid(/^\d+(\.\d+)?$/.test(text) ? [] : [{ path: field, code: 'number' }], `${field} is no number.`);
  return text;
}

const oneId =
  (operation: GraphqlOperation<object, { id: string; operationId: string }>, field: string): SandboxAction['play'] =>
  async ({ mutate }, form, operationId) =>
    await mutate(operation, { id: textOf(form, field) }, operationId);

const finish =
  (outcome: 'settled' | 'declined'): SandboxAction['play'] =>
  async ({ mutate }, form, operationId) =>
    await mutate(finishPayout, { id: textOf(form, outcome), outcome }, operationId);

const SANDBOX_ACTIONS: Readonly<Record<string, SandboxAction>> = {
  fund: {
    done: 'The money has arrived.',
    play: async ({ mutate }, form, operationId) => {
      const given = { amount: decimalIn(form, 'amount'), currency: textOf(form, 'currency').trim().toUpperCase() };
      return await mutate(fund, given, operationId);
    },
  },
  'verify-business': {
    done: 'Your business is verified.',
    play: async ({ mutate }, _form, operationId) => await mutate(verifyBusiness, {}, operationId),
  },
  'give-payee': {
    done: 'The worker has payout details. Verify them next.',
    play: async ({ mutate }, form, operationId) => {
      const given = { workerId: textOf(form, 'worker'), destination: textOf(form, 'destination') };
      return await mutate(givePayee, given, operationId);
    },
  },
  'verify-payee': {
    done: 'The payout details are verified.',
    play: async ({ mutate }, form, operationId) => {
      const [id = '', expectedVersion = ''] = partsOf(form, 'payee');
      return await mutate(verifyPayee, { id, expectedVersion }, operationId);
    },
  },
  sign: {
    done: 'The worker has signed.',
    play: async ({ mutate }, form, operationId) => {
      const [id = '', revision = '', digest = ''] = partsOf(form, 'contract');
      return await mutate(signAsWorker, { id, expectedRevision: Number(revision), digest }, operationId);
    },
  },
  timesheet: {
    done: 'The timesheet is submitted and waits for review.',
    play: async ({ mutate }, form, operationId) => {
      const typed = (name: string): string => textOf(form, name).trim();
      const period = { periodStart: typed('periodStart'), periodEnd: typed('periodEnd') };
      const input = { contractId: textOf(form, 'work'), ...period, unitsWorked: decimalIn(form, 'unitsWorked') };
      return await mutate(submitTimesheet, { input }, operationId);
    },
  },
  milestone: {
    done: 'The milestone is submitted and waits for review.',
    play: oneId(submitMilestone, 'milestone'),
  },
  due: { done: 'The payment is due today.', play: oneId(makeDue, 'due') },
  calendar: {
    done: 'The calendar is there. What is due by then happens in a moment.',
    play: async ({ mutate }, form, operationId) => {
      const days = textOf(form, 'daysAhead').trim();
      // Text that is not a number becomes -1, which the service refuses.
      return await mutate(moveCalendar, { daysAhead: /^\d{1,5}$/.test(days) ? Number(days) : -1 }, operationId);
    },
  },
  settle: { done: 'The provider settles the payout. It is paid in a moment.', play: finish('settled') },
  decline: { done: 'The provider declines the payout. The payment fails in a moment.', play: finish('declined') },
};

const SECTION = '/workspaces/:workspaceId/sandbox';

export const sandboxPages: RouteTable = {
  [`GET ${SECTION}`]: async (ctx) => await sandbox(await enter(ctx), ctx.typed, searchIn(ctx)),
  ...Object.fromEntries(
    Object.entries(SANDBOX_ACTIONS).map(([name, action]) => [
      `POST ${SECTION}/${name}`,
      (ctx: ConsoleContext) => play(ctx, action),
    ]),
  ),
};

/** A live deployment does not have this page, and its services refuse these commands. */
async function enter(ctx: ConsoleContext): Promise<WorkspaceContext> {
  if (ctx.application.deployment !== 'test') throw notFound('What this address names');
  return await requireRole(ctx, ['admin']);
}

async function sandbox(
  { run, path }: WorkspaceContext,
  typed: SentForm | null,
  search: string | null,
): Promise<PageView> {
  const playable = await run(readPlayable, { search: search || null });
  return {
    title: 'Sandbox',
    lead: 'Here you play everybody outside your workspace: the worker, the bank, the payment provider, and us. No real money moves.',
    body: <Forms path={path} typed={typed} playable={playable} search={search} />,
  };
}

async function play(ctx: ConsoleContext, action: SandboxAction): Promise<PageResponse> {
  const visit = await enter(ctx);
  try {
    await action.play(visit, ctx, operationIn(ctx));
  } catch (error) {
    return { ...(await sandbox(visit, ctx, null)), problems: problemsOf(asProblem(error), WORDING) };
  }
  return { to: visit.path, notice: action.done };
}

/** Errors that reloading the lists resolves become a message above the forms. */
function asProblem(error: unknown): unknown {
  const mended = ['STALE_RESOURCE_VERSION', 'NOT_FOUND', 'INVALID_REQUEST'];
  if (!(error instanceof DomainError && mended.includes(error.code))) return error;
  return new DomainError('INVALID_STATE', 'That was not possible as things are now. Choose again.', { cause: error });
}

const WORDING = {
  amount: 'Enter an amount above zero such as 1000.00, with no more decimals than its currency has.',
  currency: 'Enter a currency, such as EUR.',
  destination: 'Enter payout details.',
  'workerId taken': 'This worker has payout details already.',
  workerId: 'Choose a worker.',
  periodStart: 'Enter a first day that no other timesheet of this contract covers.',
  periodEnd: 'Enter a last day that is not before the first.',
  daysAhead: 'Enter how many days ahead of today, not fewer than now.',
  unitsWorked: 'Enter what was worked, such as 38.5.',
};
