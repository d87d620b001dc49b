import { addDays, notFound } from '@payroll/kernel';
import { EmptyState, DefinitionList, LinkButton, type PageView, queryOf, Table, Time } from '@payroll/pages';
import type { VNode } from 'preact';
import type { ConsoleContext } from '../console-context.js';
import { Day, Status } from '../pieces.js';
import { idIn, requireWorker } from '../workspace-context.js';
import {
  CONTRACT_STATUSES,
  MILESTONE_STATUSES,
  moneyText,
  periodText,
  TIMESHEET_STATUSES,
  dueText,
  unitOf,
  unitsText,
  workStatus,
} from '../words.js';
import {
  type ContractRow,
  type MyContract,
  type MyMilestone,
  type MyTimesheet,
  readDrafts,
  readMyContract,
  readMyContracts,
  readWorkOfContract,
  type WorkTerms,
} from './operations.js';

/** All contracts of the worker with this business, those that wait for a signature first. */
export async function myContractsPage(ctx: ConsoleContext): Promise<PageView> {
  const { path, names } = await requireWorker(ctx);
  const { myContracts } = await ctx.run(readMyContracts, {});
  const rows = [...myContracts.filter(waits), ...myContracts.filter((each) => !waits(each))];
  const body = (
    <Table
      caption="Your contracts, newest first"
      rows={rows}
      columns={{
        Contract: ({ id, title }) => <a href={`${path}/contracts/${id}`}>{title}</a>,
        Status: (row) => {
          if (canSign(row)) return <b>Waiting for your signature</b>;
          return row.openAmendment === null ? <ContractStatus of={row} /> : <b>New terms wait for your signature</b>;
        },
        Starts: ({ startDate }) => <Day of={startDate} />,
        Ends: ({ endDate }) => <Day of={endDate} none="No end" />,
      }}
      empty={<EmptyState title="No contract yet">{names.workspace} has not sent you a contract yet.</EmptyState>}
    />
  );
  const waiting = rows.filter(waits).length;
  return { title: names.workspace, lead: leadOf(waiting), body };
}

function leadOf(waiting: number): string {
  if (waiting === 0) return 'Nothing waits for your signature.';
  return waiting === 1 ? 'One contract waits for your signature.' : `${waiting} contracts wait for your signature.`;
}

/** For the worker's signature: the contract, or new terms of it. */
function waits(row: ContractRow): boolean {
  return canSign(row) || row.openAmendment !== null;
}

type Signable = Pick<ContractRow, 'status' | 'workerSignedAt'>;

export function canSign({ status, workerSignedAt }: Signable): boolean {
  return status === 'pending_signature' && workerSignedAt === null;
}

const OPEN_FOR_WORK: ReadonlySet<string> = new Set(['active', 'offboarding']);

export function isOpenForWork({ status }: Pick<ContractRow, 'status'>): boolean {
  return OPEN_FOR_WORK.has(status);
}

function ContractStatus({ of: { status, workerSignedAt } }: { of: Signable }): VNode {
  if (status === 'pending_signature' && workerSignedAt !== null) return <>Waiting for the business to sign</>;
  return <Status of={status} words={CONTRACT_STATUSES} />;
}

/** @throws DomainError `NOT_FOUND` for a contract that is not the worker's, or not theirs to see yet */
export async function myContractIn(ctx: ConsoleContext): Promise<MyContract> {
  const { myContract } = await ctx.run(readMyContract, { id: idIn(ctx) });
  if (myContract === null) throw notFound('The contract');
  return myContract;
}

export async function myContractPage(ctx: ConsoleContext): Promise<PageView> {
  const { path, names } = await requireWorker(ctx);
  const contract = await myContractIn(ctx);
  const [work, { drafts }] = await Promise.all([
    ctx.run(readWorkOfContract, { id: contract.id, after: ctx.query('cursor') ?? null }),
    ctx.run(readDrafts, { id: contract.id }),
  ]);
  const { id, title, startDate, endDate, cancellationReason, changesAsked } = contract;
  const address = `${path}/contracts/${id}`;
  const open = contract.amendments.find(({ isOpen }) => isOpen);
  const body = (
    <>
      <p>
        <ContractStatus of={contract} />
      </p>
      <nav class="actions" aria-label="What can be done">
        {canSign(contract) && <LinkButton href={`${address}/sign`}>Read and sign</LinkButton>}
        {open && <LinkButton href={`${address}/amendments/${open.number}/sign`}>Read and sign new terms</LinkButton>}
        {work.myWorkTerms?.maySubmit && <LinkButton href={`${address}/timesheet`}>Submit a timesheet</LinkButton>}
        <a href={`${address}/agreement`}>Read the agreement</a>
        {canSign(contract) && <a href={`${address}/changes`}>Ask for changes</a>}
      </nav>
      <DefinitionList
        of={{
          Business: names.workspace,
          Starts: <Day of={startDate} />,
          Ends: <Day of={endDate} none="No end" />,
          ...(work.myWorkTerms && termsOf(work.myWorkTerms, work.myMilestones.length > 0)),
          'Sent to you': <Time at={contract.sentAt} />,
          'Signed by you': <Signed at={contract.workerSignedAt} />,
          'Signed for the business': <Signed at={contract.businessSignedAt} />,
          'You asked for changes': changesAsked,
          Drafts: work.myWorkTerms?.maySubmit && drafts.length > 0 && <DraftLinks of={drafts} address={address} />,
          'Cancelled because': cancellationReason,
        }}
      />
      {work.myMilestones.length > 0 && <Milestones of={work.myMilestones} path={path} />}
      {work.myTimesheets.length > 0 && (
        <Timesheets of={work.myTimesheets} path={path} unit={unitOf(work.myWorkTerms?.compensationType)} />
      )}
    </>
  );
  return { title, body };
}

/** The weeks that were begun and not submitted. */
function DraftLinks({ of, address }: { of: readonly string[]; address: string }): VNode {
  return (
    <>
      {of.map((monday) => (
        <p key={monday}>
          <a href={`${address}/timesheet${queryOf({ week: monday })}`}>{periodText(monday, addDays(monday, 6))}</a>
        </p>
      ))}
    </>
  );
}

/** The terms that hold now, amendments included. */
function termsOf({ rate, currency, paymentDueDays, compensationType }: WorkTerms, hasMilestones: boolean) {
  if (rate === null) return hasMilestones ? {} : { 'Paid here': 'Nothing. Ask the business how it pays you' };
  return {
    Rate: `${rate} ${currency} per ${unitOf(compensationType)}`,
    'Pay date of timesheets': dueText(paymentDueDays),
  };
}

/** As many as are read at once: there may be older ones. */
const TIMESHEETS_OF_PAGE = 60;

function Timesheets({ of, path, unit }: { of: readonly MyTimesheet[]; path: string; unit: string }): VNode {
  return (
    <>
      <h2>Your timesheets</h2>
      <Table
        caption="Your timesheets under this contract, newest first"
        rows={of}
        cursor={of.length < TIMESHEETS_OF_PAGE ? null : of.at(-1)!.id}
        columns={{
          Period: ({ id, periodStart, periodEnd }) => (
            <a href={`${path}/timesheets/${id}`}>{periodText(periodStart, periodEnd)}</a>
          ),
          Work: ({ unitsWorked, entries }) => unitsText(unitsWorked, entries ? 'hour' : unit),
          Total: ({ total }) => moneyText(total),
          Status: ({ status, paymentStatus }) =>
            workStatus(TIMESHEET_STATUSES, status, paymentStatus && { status: paymentStatus }),
        }}
        numbers={['Total']}
      />
    </>
  );
}

function Milestones({ of, path }: { of: readonly MyMilestone[]; path: string }): VNode {
  return (
    <>
      <h2>Milestones</h2>
      <Table
        caption="Milestones of this contract, in their order"
        rows={of}
        columns={{
          Milestone: ({ id, title }) => <a href={`${path}/milestones/${id}`}>{title}</a>,
          Amount: ({ amount }) => moneyText(amount),
          Status: ({ status }) => <Status of={status} words={MILESTONE_STATUSES} />,
        }}
        numbers={['Amount']}
      />
    </>
  );
}

export function Signed({ at }: { at: string | null }): VNode {
  return at === null ? <>Not signed yet</> : <Time at={at} />;
}
