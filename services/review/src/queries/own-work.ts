import type { EntityManager } from '@mikro-orm/postgresql';
import { addDays, dayOf, isCalendarDate, isId, newId, requireFound, type WorkerActor } from '@payroll/kernel';
import { columns, read, readOne, sql } from '@payroll/store';
import { ask, WORK_QUESTION, type WorkAnswer, WORKER_ACCESS_QUESTION } from '@payroll/events';
import { readDaysAhead, type ServiceDependencies } from '@payroll/service';
import { versionOf } from '../domain/work.js';
import { ContractTermsTable, MilestoneTable, TimesheetDraftTable, TimesheetTable } from '../store/tables.js';
import { overlapping } from '../store/views.js';
import { requireOpenForWork } from '../domain/contract-terms.js';
import {
  type AgreedWork,
  draftVersionOf,
  type EnteredWork,
  readEnteredWork,
  requireSide,
  type Side,
} from '../domain/own-work.js';
import { requireAmounts, requireFreePeriod } from '../domain/timesheet.js';

/** Per contract, newest first: a worker looks for recent work. */
const NEWEST = 60;

type Which = { ids: readonly string[] } | { contractId: string; after?: string | null };

const areIds = (which: Which): boolean => ('ids' in which ? which.ids.every(isId) : isId(which.contractId));

const ofTimesheet = columns(
  TimesheetTable,
  ...(['id', 'contractId', 'revision', 'status', 'periodStart', 'periodEnd', 'unitsWorked', 'entries'] as const),
  ...(['currency', 'rate', 'total', 'paymentScheduledDate', 'rejectionReason', 'paymentStatus'] as const),
  ...(['submittedAt', 'submittedBy'] as const),
);

/** Timesheets under contracts of the worker; those after another one of the same list, where it is given. */
export async function myTimesheets(em: EntityManager, { workspaceId, workerId }: WorkerActor, which: Which) {
  if (!areIds(which)) return [];
  const chosen =
    'ids' in which ? sql`timesheet.id = any(${which.ids}::uuid[])` : sql`timesheet.contract_id = ${which.contractId}`;
  const after = 'after' in which && isId(which.after) ? sql`and ${isAfter(workspaceId, which.after)}` : sql``;
  const rows = await read(
    em,
    sql`select ${ofTimesheet} from timesheet
      join contract_terms terms on terms.workspace_id = timesheet.workspace_id
        and terms.contract_id = timesheet.contract_id
      where terms.workspace_id = ${workspaceId} and terms.worker_id = ${workerId} and ${chosen} ${after}
      order by timesheet.period_start desc, timesheet.id desc limit ${'ids' in which ? which.ids.length : NEWEST}`,
  );
  return rows.map(({ revision, currency, rate, total, ...row }) => {
    const [perUnit, whole] = [rate, total].map((amount) => ({ amount, currency }));
    return { ...row, rate: perUnit!, total: whole!, version: versionOf(row.id, revision) };
  });
}

const isAfter = (workspaceId: string, id: string) => sql`(timesheet.period_start, timesheet.id) < (
  select last.period_start, last.id from timesheet last where last.workspace_id = ${workspaceId} and last.id = ${id})`;

const ofMilestone = columns(
  MilestoneTable,
  ...(['id', 'contractId', 'title', 'description', 'status', 'amount', 'currency', 'dueDate'] as const),
  ...(['note', 'rejectionReason', 'sortOrder'] as const),
);

/** Milestones of contracts of the worker, in their order. */
export async function myMilestones(em: EntityManager, { workspaceId, workerId }: WorkerActor, which: Which) {
  if (!areIds(which)) return [];
  const chosen =
    'ids' in which ? sql`milestone.id = any(${which.ids}::uuid[])` : sql`milestone.contract_id = ${which.contractId}`;
  const rows = await read(
    em,
    sql`select ${ofMilestone} from milestone
      join contract_terms terms on terms.workspace_id = milestone.workspace_id
        and terms.contract_id = milestone.contract_id
      where terms.workspace_id = ${workspaceId} and terms.worker_id = ${workerId} and ${chosen}
      order by milestone.sort_order, milestone.id`,
  );
  return rows.map(({ amount, currency, ...row }) => ({ ...row, amount: { amount, currency } }));
}

/** The worker's draft with this first day. */
export async function myDraft(
  em: EntityManager,
  { workspaceId, principalId }: WorkerActor,
  { contractId, firstDay }: { contractId: string; firstDay: string },
) {
  if (!isId(contractId) || !isCalendarDate(firstDay)) return null;
  const [draft] = await read(
    em,
    sql`select ${columns(TimesheetDraftTable, 'fields')} from timesheet_draft
      where workspace_id = ${workspaceId} and principal_id = ${principalId} and contract_id = ${contractId}
        and first_day = ${firstDay}`,
  );
  return draft ? { ...draft, version: draftVersionOf(draft.fields) } : null;
}

/** The first days of the worker's drafts under a contract, newest first. */
export async function myDrafts(em: EntityManager, { workspaceId, principalId }: WorkerActor, contractId: string) {
  if (!isId(contractId)) return [];
  const drafts = await read(
    em,
    sql`select ${columns(TimesheetDraftTable, 'firstDay')} from timesheet_draft
      where workspace_id = ${workspaceId} and principal_id = ${principalId} and contract_id = ${contractId}
      order by first_day desc limit ${NEWEST}`,
  );
  return drafts.map(({ firstDay }) => firstDay);
}

/** Whether the worker of the contract is not known here: it was published before review kept workers. */
export async function lacksWorker(em: EntityManager, workspaceId: string, contractId: string): Promise<boolean> {
  if (!isId(contractId)) return false;
  const rows = await read(
    em,
    sql`select ${columns(ContractTermsTable, 'contractId')} from contract_terms
      where workspace_id = ${workspaceId} and contract_id = ${contractId} and worker_id is null`,
  );
  return rows.length > 0;
}

const ofTerms = columns(
  ContractTermsTable,
  ...(['status', 'deleted', 'rate', 'currency', 'paymentDueDays', 'autoPayEnabled'] as const),
  'timesheetApprovalRequired',
);

/** The terms that work under a contract is paid by; for a worker, only under a contract of theirs. */
export async function termsOfWork(em: EntityManager, workspaceId: string, contractId: string, workerId?: string) {
  if (!isId(contractId)) return null;
  const own = workerId === undefined ? sql`` : sql`and worker_id = ${workerId}`;
  return await readOne(
    em,
    sql`select ${ofTerms} from contract_terms
      where workspace_id = ${workspaceId} and contract_id = ${contractId} and not deleted ${own}`,
  );
}

type Asking = Pick<ServiceDependencies, 'bus'>;

/** Asks contracts. Null where there is no such contract. @throws DomainError `SERVICE_UNAVAILABLE` if it does not answer */
export async function askWork({ bus }: Asking, workspaceId: string, contractId: string): Promise<WorkAnswer> {
  if (!isId(contractId)) return null;
  return await ask(bus, WORK_QUESTION, { workspaceId, contractId });
}

/**
 * The terms of work with the side that submits it: if none was agreed, the worker where they sign in, else the client.
 * @throws DomainError `NOT_FOUND`
 */
export async function agreedWork(asking: Asking, workspaceId: string, contractId: string): Promise<AgreedWork> {
  const work = requireFound(await askWork(asking, workspaceId, contractId), 'The contract');
  const { workerId, submitter } = work;
  if (submitter !== null || workerId === null) return { ...work, submitter: submitter ?? 'client' };
  const { hasAccess } = await ask(asking.bus, WORKER_ACCESS_QUESTION, { workspaceId, workerId });
  return { ...work, submitter: hasAccess ? 'contractor' : 'client' };
}

interface Entering {
  side: Side;
  contractId: string;
  workspaceId: string;
  /** Where the worker enters it. */
  workerId?: string;
}

/** The work as its submission would store it now. @throws DomainError as its submission would */
export async function previewWork(
  parts: Pick<ServiceDependencies, 'em' | 'bus' | 'deployment'>,
  { side, contractId, workspaceId, workerId }: Entering,
  entered: EnteredWork,
) {
  const terms = requireOpenForWork(await termsOfWork(parts.em, workspaceId, contractId, workerId));
  const agreed = await agreedWork(parts, workspaceId, contractId);
  requireSide(side, agreed);
  const today = addDays(dayOf(new Date()), await readDaysAhead(parts, workspaceId));
  const work = readEnteredWork(entered, agreed, today);
  requireFreePeriod(await read(parts.em, overlapping(workspaceId, { id: newId(), contractId, ...work })));
  const { total: amount, currency, paymentScheduledDate } = requireAmounts(terms, work);
  return { unitsWorked: work.unitsWorked, total: { amount, currency }, paymentScheduledDate };
}
