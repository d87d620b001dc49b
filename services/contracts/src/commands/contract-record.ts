import { newEvent } from '@payroll/events';
import { DomainError, notFound } from '@payroll/kernel';
import { AuditEntryTable, type CommandTransaction, type WorkspaceRows } from '@payroll/commands';
import type { TableRow, Values } from '@payroll/store';
import { agreementsOf, handOver } from '../domain/draft.js';
import { ContractTable, WorkerTable } from '../store/tables.js';
import { toContract, type Contract } from '../store/contracts.js';
import { requireSeen, type Seen } from './seen.js';

export type ContractRow = TableRow<typeof ContractTable>;

/** A contract to be changed, as whoever changes it saw it. */
export type SeenContract = Seen & { id: string };

/** The contract, locked until commit. A deleted one cannot be changed: it is not found. */
export async function findContract(rows: WorkspaceRows, { id, ...seen }: SeenContract): Promise<ContractRow> {
  const contract = await rows.lock(ContractTable, id);
  if (!contract || contract.deletedAt !== null) throw notFound('The contract');
  requireSeen(rows, contract, seen);
  return contract;
}

export async function contractAfter(rows: WorkspaceRows, contract: ContractRow): Promise<Contract> {
  const { workerId } = contract;
  const worker = workerId === null ? null : await rows.find(WorkerTable, { id: workerId });
  return toContract({ ...contract, workerName: worker?.name ?? null });
}

/** What the audit trail calls a contract's submission for verification. */
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
  if (await isPublished(tx, changed)) tx.emit(contractChanged(changed));
  return changed;
}

/**
 * Other services have no use for a draft. They hear of a contract when it is first submitted for verification, and from then
 * on of every change, also when it is returned to draft (ADR 22).
 */
async function isPublished(rows: WorkspaceRows, { id, status }: ContractRow): Promise<boolean> {
  if (status !== 'draft' && status !== 'cancelled') return true;
  return (await rows.find(AuditEntryTable, { subjectId: id, action: `contract.${SUBMITTED}` })) !== null;
}

function contractChanged(contract: ContractRow) {
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

/** NATS carries 1 MB; the rest is for what surrounds the body of an event. */
const MOST_BYTES = 900_000;

/**
 * Hands the milestones of a draft over to review, which lists them from the first moment: each time all of them, so that the
 * newest event is enough.
 */
export function milestonesAgreed(tx: CommandTransaction, { id, draft, currency }: ContractRow): void {
  const body = {
    contractId: id,
    milestones: handOver(draft.milestones, currency),
    agreements: agreementsOf(draft.milestones),
  };
  if (Buffer.byteLength(JSON.stringify(body)) > MOST_BYTES) {
    throw new DomainError('VALIDATION_FAILED', 'There are more or longer milestones than a contract can have.', {
      details: [{ path: 'milestones', code: 'too_long' }],
    });
  }
  tx.emit(newEvent('contract.milestones-agreed', id, body));
}
