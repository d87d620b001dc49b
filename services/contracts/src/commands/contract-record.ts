import { newEvent } from '@payroll/events';
import { DomainError, enteredText, invalid, memberOf, notFound, throwIfInvalid } from '@payroll/kernel';
import { AuditEntryTable, type CommandTransaction, type WorkspaceReader } from '@payroll/commands';
import type { TableRow, Values } from '@payroll/store';
import { milestoneRevisions, toEventMilestones } from '../domain/draft.js';
import { ContractTable, WorkerTable } from '../store/tables.js';
import { toContract, type Contract } from '../store/views.js';

export type ContractRow = TableRow<typeof ContractTable>;

/** The contract to change, and the revision that the caller saw. */
export type ContractAtRevision = ExpectedRevision & { id: string };

/** The contract, locked until commit. A deleted contract is reported as not found. */
export async function findContract(rows: WorkspaceReader, { id, ...seen }: ContractAtRevision): Promise<ContractRow> {
  const contract = await rows.lock(ContractTable, id);
  if (!contract || contract.deletedAt !== null) throw notFound('The contract');
  requireExpectedRevision(rows, contract, seen);
  return contract;
}

/** The revision that the caller saw when deciding. Internal teams may omit it. */
export interface ExpectedRevision {
  expectedRevision?: number | null | undefined;
}

/**
 * @throws DomainError `STALE_RESOURCE_VERSION` if the revision has changed since; `VALIDATION_FAILED` if a member
 * omits it.
 */
export function requireExpectedRevision(
  { origin }: WorkspaceReader,
  { revision }: { revision: number },
  { expectedRevision }: ExpectedRevision,
): void {
  if (expectedRevision == null) {
    throwIfInvalid(
      memberOf(origin.actor) ? [{ path: 'expectedRevision', code: 'required' }] : [],
      'expectedRevision is required: the revision that you saw.',
    );
  } else if (expectedRevision !== revision) {
    throw new DomainError(
      'STALE_RESOURCE_VERSION',
      'This has changed since you opened it. Open it again and check it.',
    );
  }
}

/** @throws DomainError `VALIDATION_FAILED` unless 1–2000 characters are left after trimming. */
export const readReason = (text: string): string => enteredText('reason', text, 2_000);

export async function contractAfter(rows: WorkspaceReader, contract: ContractRow): Promise<Contract> {
  const { workerId } = contract;
  const worker = workerId === null ? null : await rows.find(WorkerTable, { id: workerId });
  return toContract({ ...contract, workerName: worker?.name ?? null });
}

/** Audit action of a contract's submission for verification. */
export const SUBMITTED = 'submitted-for-verification';

/** Writes a changed contract and publishes its state. `change` is what the audit trail records. */
export async function changeContract(
  tx: CommandTransaction,
  contract: ContractRow,
  changes: Values<typeof ContractTable>,
  action: string,
  change: unknown,
): Promise<ContractRow> {
  const stamped = { ...changes, revision: contract.revision + 1, updatedAt: tx.now };
  const changed = tx.update(ContractTable, contract, stamped);
  tx.audit(`contract.${action}`, contract.id, change);
  if (await isPublished(tx, changed)) tx.emit(publishContract(changed));
  return changed;
}

/**
 * Drafts are private to this service. Other services receive every change from the first submission for verification
 * on, including a return to draft (ADR 22).
 */
async function isPublished(rows: WorkspaceReader, { id, status }: ContractRow): Promise<boolean> {
  if (status !== 'draft' && status !== 'cancelled') return true;
  return (await rows.find(AuditEntryTable, { subjectId: id, action: `contract.${SUBMITTED}` })) !== null;
}

function publishContract(contract: ContractRow) {
  return newEvent('contract.changed', contract.id, {
    contractId: contract.id,
    revision: contract.revision,
    status: contract.status,
    employmentType: contract.employmentType,
    contractType: contract.contractType,
    workerId: contract.workerId,
    currency: contract.currency,
    rate: contract.rate,
    paymentDueDays: contract.paymentDueDays,
    autoPayEnabled: contract.autoPayEnabled,
    autoApproveAfterDays: contract.autoApproveAfterDays,
    timesheetApprovalRequired: contract.timesheetApprovalRequired,
    deleted: contract.deletedAt !== null,
  });
}

/** A NATS message may have 1 MB; the rest is for the event's envelope. */
const MAX_BYTES = 900_000;

/**
 * Publishes the milestones of a draft for review, which lists them from the start. Each event has all of them, so
 * that the newest one suffices.
 */
export function publishMilestones(tx: CommandTransaction, { id, draft, currency }: ContractRow): void {
  const body = {
    contractId: id,
    milestones: toEventMilestones(draft.milestones, currency),
    agreements: milestoneRevisions(draft.milestones),
  };
  if (Buffer.byteLength(JSON.stringify(body)) > MAX_BYTES) {
    throw invalid('milestones', 'too_long', 'The contract has too many milestones, or their texts are too long.');
  }
  tx.emit(newEvent('contract.milestones-agreed', id, body));
}
