import { DomainError } from '@payroll/kernel';
import { EmptyState, type PageView, workPath } from '@payroll/pages';
import type { VNode } from 'preact';
import type { ConsoleContext } from '../console-context.js';
import { isNothing } from '../sections/payments/words.js';
import { totalsOf, moneyText, periodText } from '../words.js';
import { atMost } from '../at-most.js';
import { graphql, type FieldOf, type ResultOf } from '../operations.js';
import { canSign, isOpenForWork } from '../work/contracts.js';

const readContractsToDo = graphql(`
  query contractsToDo {
    myContracts {
      id
      title
      status
      workerSignedAt
      openAmendment
    }
  }
`);

const readWorkToDo = graphql(`
  query workToDo($id: ID!) {
    myWorkTerms(contractId: $id) {
      maySubmit
    }
    myTimesheets(contractId: $id) {
      id
      status
      periodStart
      periodEnd
    }
    myMilestones(contractId: $id) {
      id
      status
      title
    }
  }
`);

const readOwed = graphql(`
  query owedToMe {
    myPayee {
      verificationStatus
    }
    myPayments(isOwed: true, limit: 100) {
      nodes {
        netAmount {
          amount
          currency
        }
        obstacle
      }
      nextCursor
    }
  }
`);

/** Employers, and contracts of each, that are read at the same time: one person's page must not crowd out the others. */
const AT_ONCE = 4;
/** The employer's own page has all of them. */
const MAX_STEPS = 10;

/**
 * The next steps of a worker at each employer, and the amounts that each owes them. Asks each workspace separately, as the
 * worker there; amounts are not added over employers.
 */
export async function employersPage(ctx: ConsoleContext): Promise<PageView> {
  const { employers } = await ctx.person({ withData: false });
  const found = await atMost(AT_ONCE, employers, (employer) => readEmployer(ctx, employer));
  const body = (
    <>
      {found.map((employer) => (
        <EmployerPart key={employer.workspaceId} of={employer} />
      ))}
      {found.length === 0 && (
        <EmptyState title="You work for nobody here yet">
          A business invites you by mail, with a link to join.
        </EmptyState>
      )}
      <p>
        <a href="/workspaces">All your workspaces</a>
      </p>
    </>
  );
  return { title: 'Your work', lead: 'What waits for you, and what you are owed.', body };
}

type Employer = Awaited<ReturnType<ConsoleContext['person']>>['employers'][number];
type Found = Awaited<ReturnType<typeof readEmployer>>;

async function readEmployer(ctx: ConsoleContext, employer: Employer) {
  const run = await unlessRefused(ctx.asWorkerOf(employer.workspaceId));
  if (run === null) return { ...employer, steps: [], owed: null, isWhole: false };
  const [contracts, owed] = await Promise.all([
    unlessRefused(run(readContractsToDo, {}).then(({ myContracts }) => myContracts)),
    unlessRefused(run(readOwed, {})),
  ]);
  const open = contracts?.filter(isOpenForWork) ?? [];
  const work = await atMost(AT_ONCE, open, async (contract) => {
    const found = await unlessRefused(run(readWorkToDo, { id: contract.id }));
    return found && stepsOfWork(contract, found);
  });
  const steps: Step[] = [
    ...(contracts ?? []).flatMap(stepsOfContract),
    ...(owed ? stepsOfMoney(owed, (contracts ?? []).length > 0) : []),
    ...work.flatMap((each) => each ?? []),
  ];
  return { ...employer, steps, owed, isWhole: contracts !== null && owed !== null && !work.includes(null) };
}

/** A part that fails is left out, and the page says so: the others are still worth reading. */
async function unlessRefused<Part>(part: Promise<Part>): Promise<Part | null> {
  try {
    return await part;
  } catch (error) {
    if (error instanceof DomainError) return null;
    throw error;
  }
}

function EmployerPart({ of: { workspaceId, workspaceName, steps, owed, isWhole } }: { of: Found }): VNode {
  const path = workPath(workspaceId);
  return (
    <section aria-labelledby={`at-${workspaceId}`}>
      <h2 id={`at-${workspaceId}`}>
        <a href={path}>{workspaceName}</a>
      </h2>
      {!isWhole && (
        <p class="notice" role="status">
          Not all of it can be read at the moment. Open this page again in a minute.
        </p>
      )}
      {steps.length > 0 && (
        <ul>
          {steps.slice(0, MAX_STEPS).map(({ label, path: below }) => (
            <li key={below}>
              <a href={`${path}/${below}`}>{label}</a>
            </li>
          ))}
        </ul>
      )}
      {steps.length > MAX_STEPS && <p>And {steps.length - MAX_STEPS} more.</p>}
      {steps.length === 0 && isWhole && <p>Nothing waits for you.</p>}
      {owed && <Owed of={owed.myPayments} path={path} />}
    </section>
  );
}

function Owed({ of: { nodes, nextCursor }, path }: { of: NonNullable<Found['owed']>['myPayments']; path: string }) {
  const sums = totalsOf(nodes.map(({ netAmount }) => netAmount).filter((amount) => !isNothing(amount)));
  if (sums.length === 0) return null;
  return (
    <p>
      <a href={`${path}/payments`}>Approved and not paid yet</a>: {nextCursor !== null && 'at least '}
      {sums.map((sum) => moneyText(sum)).join(', ')}
    </p>
  );
}

/** The next thing for a worker to do, and its page below their employer's. */
interface Step {
  label: string;
  path: string;
}

type ContractToDo = FieldOf<typeof readContractsToDo, 'myContracts'>[number];

function stepsOfContract(contract: ContractToDo): Step[] {
  const { id, title, openAmendment } = contract;
  const path = `contracts/${id}`;
  return [
    ...(canSign(contract) ? [{ label: `Read and sign: ${title}`, path: `${path}/sign` }] : []),
    ...(openAmendment === null
      ? []
      : [{ label: `Read and sign new terms: ${title}`, path: `${path}/amendments/${openAmendment}/sign` }]),
  ];
}

/** The steps of work under a contract that is open for it: first what was sent back. */
function stepsOfWork({ id, title }: ContractToDo, work: ResultOf<typeof readWorkToDo>): Step[] {
  const { myWorkTerms, myTimesheets, myMilestones } = work;
  const maySubmit = myWorkTerms?.maySubmit ?? false;
  const milestones = (status: string, label: string): Step[] =>
    myMilestones
      .filter((each) => each.status === status)
      .map((each) => ({ label: `${label}: ${each.title}, ${title}`, path: `milestones/${each.id}` }));
  return [
    ...myTimesheets
      .filter(({ status }) => status === 'rejected' && maySubmit)
      .map((each) => ({
        label: `Correct the timesheet of ${periodText(each.periodStart, each.periodEnd)}: ${title}`,
        path: `timesheets/${each.id}/correct`,
      })),
    ...milestones('rejected', 'Correct the milestone'),
    ...milestones('pending', 'Submit the milestone once it is done'),
    ...(maySubmit ? [{ label: `Submit a timesheet: ${title}`, path: `contracts/${id}/timesheet` }] : []),
  ];
}

/** Payout details are needed from the first contract on. */
function stepsOfMoney({ myPayee, myPayments }: ResultOf<typeof readOwed>, hasContracts: boolean): Step[] {
  const path = 'payout-details';
  if (myPayee === null) return hasContracts ? [{ label: 'Enter your payout details', path }] : [];
  if (myPayee.verificationStatus === 'rejected') return [{ label: 'Enter other payout details', path }];
  const isDeclined = myPayments.nodes.some(({ obstacle }) => obstacle === 'provider_declined');
  return isDeclined ? [{ label: 'Check your payout details', path }] : [];
}
