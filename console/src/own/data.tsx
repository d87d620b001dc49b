import { Readable } from 'node:stream';
import { DomainError, instantOf } from '@payroll/kernel';
import { type PageResponse, SignInRedirect, type PageView } from '@payroll/pages';
import type { ConsoleContext } from '../console-context.js';
import { atMost } from '../at-most.js';
import { graphql } from '../operations.js';
import { MY_CONTRACT } from '../work/operations.js';

const MONEY = 'amount currency';

const readMyRecords = graphql(`
  query myRecords {
    myContracts { ${MY_CONTRACT} }
    myPayee { holder payoutMethod destinationEnding verificationStatus heldUntil stoppedAt }
  }`);

const readMyTimesheetRecords = graphql(`
  query myTimesheetRecords($id: ID!, $after: ID) {
    myTimesheets(contractId: $id, after: $after) {
      id status periodStart periodEnd unitsWorked entries { day units note } rate { ${MONEY} } total { ${MONEY} }
      paymentScheduledDate rejectionReason paymentStatus submittedAt submittedBy
    }
  }`);

const readMyMilestoneRecords = graphql(`
  query myMilestoneRecords($id: ID!) {
    myMilestones(contractId: $id) {
      id title description status amount { ${MONEY} } dueDate note rejectionReason
    }
  }`);

const readMyPaymentRecords = graphql(`
  query myPaymentRecords($cursor: String) {
    myPayments(limit: 100, cursor: $cursor) {
      nodes {
        id contractId timesheetId milestoneId status grossAmount { ${MONEY} } netAmount { ${MONEY} }
        paidAmount { ${MONEY} } deductions { name amount { ${MONEY} } } scheduledDate completedAt sentBy sentToEnding
        createdAt
      }
      nextCursor
    }
  }`);

/** Workspaces, and contracts of each, that are read at the same time. */
const AT_ONCE = 2;
/** The most rows of a list in one download. No person has as many. */
const MAX_PAGES = 100;
const MAX_CONTRACTS = 200;

/**
 * A person's data, as their pages show it, in one file. All of it is read before the first byte is sent: a part that fails must
 * not leave a file that looks complete.
 */
export async function dataFile(ctx: ConsoleContext): Promise<PageResponse> {
  const { data, employers } = await ctx.person({ withData: true });
  if (data === null) throw new SignInRedirect('password', ctx.request.url);
  try {
    const asWorker = await atMost(AT_ONCE, employers, async (employer) => {
      return { ...employer, ...(await recordsAt(ctx, employer.workspaceId)) };
    });
    const file = { madeAt: instantOf(new Date()), ...data, asWorker };
    const content = Readable.from([`${JSON.stringify(file, null, 2)}\n`]);
    return { download: 'payroll-data.json', type: 'application/json; charset=utf-8', content };
  } catch (error) {
    if (error instanceof DomainError) return incompletePage(error);
    throw error;
  }
}

function incompletePage({ code, message }: DomainError): PageView {
  return {
    title: 'Your data could not be read completely',
    lead: 'Nothing was downloaded: the file would lack a part.',
    body: (
      <p>
        {code === 'INVALID_STATE' ? message : 'Try again in a few minutes.'} <a href="/account">Back to your account</a>
      </p>
    ),
    status: code === 'INVALID_STATE' ? 409 : 503,
  };
}

/** A worker's records of one workspace. Asks admission again for each contract, because a token is valid for seconds. */
async function recordsAt(ctx: ConsoleContext, workspaceId: string) {
  const run = await ctx.asWorkerOf(workspaceId);
  const { myContracts, myPayee } = await run(readMyRecords, {});
  if (myContracts.length >= MAX_CONTRACTS) throw tooMuch();
  const contracts = await atMost(AT_ONCE, myContracts, async (contract) => {
    const runAgain = await ctx.asWorkerOf(workspaceId);
    const { id } = contract;
    const { myMilestones: milestones } = await runAgain(readMyMilestoneRecords, { id });
    const timesheets = await allOf(async (after) => {
      const { myTimesheets: nodes } = await runAgain(readMyTimesheetRecords, { id, after });
      return { nodes, nextCursor: nodes.at(-1)?.id ?? null };
    });
    return { ...contract, timesheets, milestones };
  });
  const payments = await allOf(async (cursor) => {
    const runAgain = await ctx.asWorkerOf(workspaceId);
    return (await runAgain(readMyPaymentRecords, { cursor })).myPayments;
  });
  return { contracts, payments, payoutDetails: myPayee };
}

/** @throws DomainError `INVALID_STATE` for a list that is too long for a file */
async function allOf<Row>(
  read: (cursor: string | null) => Promise<{ nodes: readonly Row[]; nextCursor: string | null }>,
): Promise<Row[]> {
  const rows: Row[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < MAX_PAGES; page++) {
    const { nodes, nextCursor }: Awaited<ReturnType<typeof read>> = await read(cursor);
    rows.push(...nodes);
    if (nextCursor === null) return rows;
    cursor = nextCursor;
  }
  throw tooMuch();
}

function tooMuch(): DomainError {
  return new DomainError('INVALID_STATE', 'There is more of it than fits into one file. Ask the operator for it.');
}
