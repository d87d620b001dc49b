import { notFound, type Role } from '@payroll/kernel';
import { DefinitionList, LinkButton, type PageView, Tag, Time } from '@payroll/pages';
import type { VNode } from 'preact';
import type { ConsoleContext } from '../../console-context.js';
import { Day, Status, WorkerLink } from '../../pieces.js';
import { EDITORS, idIn, orUnread, requireMember, type WorkspaceContext } from '../../workspace-context.js';
import { graphql } from '../../operations.js';
import {
  CONTRACT_STATUSES,
  CONTRACT_TYPES,
  COUNTRIES,
  daysText,
  dueText,
  EMPLOYMENT_TYPES,
  unitOf,
} from '../../words.js';
import { ENTRIES_SHOWN, readNewest } from '../activity/trails.js';
import { History } from '../activity/timeline.js';
import { type Contract, readContract, readContractAlone } from './operations.js';
import { isOpenAmendment } from './actions/agreement.js';
import { Work } from './work.js';
import { isOpenForWork } from '../../work/contracts.js';
import { type ContractAction, openActions } from './actions/actions.js';

/** All of a contract that everybody in the workspace may read. */
export async function contractPage(ctx: ConsoleContext): Promise<PageView> {
  const visited = await requireMember(ctx);
  const { home } = visited;
  const id = idIn(ctx);
  const [{ contract, payments }, done] = await Promise.all([
    contractWithPayments(visited, id),
    readNewest(visited, ENTRIES_SHOWN, id, 'contracts'),
  ]);
  if (contract === null) throw notFound('The contract');
  const body = (
    <>
      <p>
        {contract.deletedAt === null ? (
          <Status of={contract.status} words={CONTRACT_STATUSES} />
        ) : (
          <Tag look="bad">Deleted</Tag>
        )}
      </p>
      <Way of={contract} />
      <div class="columns">
        <div class="side">
          <ContractActs visited={visited} contract={contract} maySubmit={await maySubmit(visited, contract)} />
        </div>
        <div class="main">
          <Agreed role={visited.role} contract={contract} home={home} />
          <Terms contract={contract} />
        </div>
      </div>
      <Work contract={contract} payments={payments} home={home} />
      <History entries={done.entries} home={home} id={contract.id} />
    </>
  );
  return { title: contract.title, body };
}

/** Payments are null while their service does not answer: the contract is still worth reading. */
async function contractWithPayments({ run }: WorkspaceContext, id: string) {
  const whole = await orUnread(run(readContract, { id }));
  if (whole !== null) return whole;
  const { contract } = await run(readContractAlone, { id });
  const unpaid = <Work extends object>(work: Work) => ({ ...work, payment: null });
  return {
    contract: contract && {
      ...contract,
      milestones: contract.milestones.map(unpaid),
      timesheets: contract.timesheets.map(unpaid),
    },
    payments: null,
  };
}

const readMaySubmit = graphql('query mayClientSubmit($id: ID!) { workTerms(contractId: $id) { maySubmit } }');

/** Whether this member may submit work for the worker. Where the contract does not say who does, it depends on whether the worker signs in. */
async function maySubmit({ role, run }: WorkspaceContext, contract: Contract): Promise<boolean> {
  if (role === 'viewer' || !isOpenForWork(contract)) return false;
  const found = await orUnread(run(readMaySubmit, { id: contract.id }));
  return found?.workTerms?.maySubmit ?? false;
}

/** The steps of a contract, each with its statuses. */
const STEPS: readonly (readonly [label: string, ...states: string[]])[] = [
  ['Draft', 'draft'],
  ['Verification', 'pending_verification'],
  ['Signatures', 'ready_for_signature', 'pending_signature'],
  ['Activation', 'signed'],
  ['Active', 'active'],
  ['Ending', 'offboarding'],
  ['Completed', 'completed'],
];

/** The current step of a contract, and who acts next. Nothing for one that is cancelled or deleted. */
function Way({ of: contract }: { of: Contract }): VNode | null {
  const here = STEPS.findIndex(([, ...states]) => states.includes(contract.status));
  if (here < 0 || contract.deletedAt !== null) return null;
  const { businessSignedAt, workerSignedAt } = contract.details;
  const signedAt = businessSignedAt && workerSignedAt && [businessSignedAt, workerSignedAt].toSorted()[1]!;
  const dates: Readonly<Record<string, string | null>> = { Draft: contract.createdAt, Signatures: signedAt };
  return (
    <>
      <ol class="way">
        {STEPS.map(([label], n) => (
          <li key={label} class={n < here ? 'step-done' : undefined} aria-current={n === here ? 'step' : undefined}>
            {label}
            {n < here && <span class="hidden">: done</span>}
            {n <= here && dates[label] && (
              <span class="hint">
                {' '}
                <Day of={dates[label].slice(0, 10)} />
              </span>
            )}
          </li>
        ))}
      </ol>
      <p>{nextText(contract)}</p>
    </>
  );
}

function nextText({ status, details: { businessSignedAt, workerSignedAt, terms }, milestones }: Contract): string {
  if (status === 'active') {
    if (terms.rate !== null) return 'Work can be submitted, approved and paid.';
    return milestones.length > 0
      ? 'Milestones can be submitted, approved and paid.'
      : 'Nothing is paid under it here: it has neither a rate nor milestones.';
  }
  if (status !== 'pending_signature') return NEXT[status] ?? '';
  if (businessSignedAt === null && workerSignedAt === null)
    return 'Next: an admin signs for the business, and the worker.';
  return businessSignedAt === null ? 'Next: an admin signs for the business.' : 'Next: the worker signs.';
}

const NEXT: Readonly<Record<string, string>> = {
  draft: 'Next: a member completes it and submits it for verification, or an admin sends it for signature.',
  pending_verification: 'Next: an admin verifies it and sends it for signature.',
  ready_for_signature: 'Next: an admin sends it for signature.',
  signed: 'Next: an admin activates it.',
  offboarding: 'Next: an admin marks it as completed.',
};

interface ContractActsProps {
  visited: WorkspaceContext;
  contract: Contract;
  /** Whether the client submits the work of this contract. */
  maySubmit: boolean;
}

type Act = Pick<ContractAction, 'slug' | 'label' | 'look'>;

/** The actions open to this person: the next step as a button, the others in a menu, irreversible ones last. */
function ContractActs({ visited: { path, role }, contract, maySubmit }: ContractActsProps): VNode {
  const address = `${path}/${contract.id}`;
  const isDraft = contract.status === 'draft';
  const edit: Act = isDraft
    ? { slug: 'edit', label: 'Edit the draft' }
    : { slug: 'copy', label: 'Draft a copy', look: 'plain' };
  const mayEdit = EDITORS.includes(role) && contract.deletedAt === null;
  const actions: readonly Act[] = [...openActions(role, contract), ...(mayEdit ? [edit] : [])];
  const looking = (as: Act['look']): Act[] => actions.filter(({ look = 'main' }) => look === as);
  const [first, ...others] = looking('main');
  const more = [...others, ...looking('plain'), ...looking('danger')];
  return (
    <nav class="acts" aria-label="What can be done">
      {first && <LinkButton href={`${address}/${first.slug}`}>{first.label}</LinkButton>}
      {maySubmit && <a href={`${address}/timesheet`}>Submit a timesheet</a>}
      <a href={`${address}/agreement`}>Read the agreement</a>
      {more.length > 0 && (
        <details class="more">
          <summary>More actions</summary>
          <ul>
            {more.map(({ slug, label, look }) => (
              <li key={slug} class={look === 'danger' ? 'danger' : undefined}>
                <a href={`${address}/${slug}`}>{label}</a>
              </li>
            ))}
          </ul>
        </details>
      )}
    </nav>
  );
}

interface AgreedProps {
  role: Role;
  contract: Contract;
  home: string;
}

function Agreed({ role, contract, home }: AgreedProps): VNode {
  const { worker, details, agreement, createdAt, startDate, endDate } = contract;
  return (
    <DefinitionList
      of={{
        Worker: <WorkerLink of={worker} home={home} />,
        Type: `${CONTRACT_TYPES[contract.contractType]}, ${EMPLOYMENT_TYPES[contract.employmentType].toLowerCase()}`,
        Starts: <Day of={startDate} />,
        Ends: <Day of={endDate} none="No end" />,
        'Terminated on': details.terminationDate && <Day of={details.terminationDate} />,
        Country: details.countryOfEmployment && (COUNTRIES[details.countryOfEmployment] ?? details.countryOfEmployment),
        'What is done': details.description,
        'Special clauses': details.specialClauses,
        'Notice period': details.noticePeriodDays === null ? null : daysText(details.noticePeriodDays),
        Reference: details.externalReference,
        Drafted: <Time at={createdAt} />,
        'Signed for the business': details.businessSignedAt && <Time at={details.businessSignedAt} />,
        'Signed by the worker': details.workerSignedAt && <Time at={details.workerSignedAt} />,
        'The worker asks for changes': agreement.changesAsked && (
          <>
            {agreement.changesAsked}{' '}
            {EDITORS.includes(role) && <a href={`${home}/contracts/${contract.id}/copy`}>Draft a copy with them</a>}
          </>
        ),
        'New terms': agreement.amendments.some(isOpenAmendment) && (
          <>
            They wait for the signature of the worker.{' '}
            <a href={`${home}/contracts/${contract.id}/agreement`}>Read them</a>{' '}
            {role === 'admin' && <a href={`${home}/contracts/${contract.id}/withdraw-terms`}>Withdraw them</a>}
          </>
        ),
        'Returned to draft because': details.returnReason,
        'Cancelled because': details.cancellationReason,
      }}
    />
  );
}

function Terms({ contract: { details, milestones, status, missing } }: { contract: Contract }): VNode {
  const { terms, compensation } = details;
  const salary = compensation?.annualSalary;
  const isIncomplete = status === 'draft' && missing.length > 0;
  const isPaidHere = terms.rate !== null || milestones.length > 0;
  return (
    <>
      <h2>Current terms</h2>
      <DefinitionList
        of={{
          Currency: terms.currency,
          'Salary per year': salary && `${salary} ${terms.currency}`,
          ...(terms.rate !== null && termsOfTimesheets(terms, unitOf(compensation?.type))),
          ...(milestones.length > 0 && { 'Milestones are paid': 'As soon as they are approved' }),
          ...(!isPaidHere && !isIncomplete && { 'Paid here': 'Nothing: it has neither a rate nor milestones' }),
        }}
      />
    </>
  );
}

/** For contracts with a rate: nothing else is paid by the timesheet. */
function termsOfTimesheets(terms: Contract['details']['terms'], unit: string) {
  return {
    Rate: `${terms.rate} ${terms.currency} per ${unit}`,
    'Pay date of timesheets': dueText(terms.paymentDueDays),
    'On the pay date': terms.autoPayEnabled ? 'They are paid automatically' : 'An admin starts the payment',
    Approval: approval(terms),
  };
}

function approval({ timesheetApprovalRequired, autoApproveAfterDays }: Contract['details']['terms']): string {
  if (!timesheetApprovalRequired) return 'Timesheets are approved as soon as they are submitted';
  if (autoApproveAfterDays === null) return 'An admin approves submitted timesheets';
  return `An admin approves submitted timesheets; after ${daysText(autoApproveAfterDays)} they are approved automatically`;
}
