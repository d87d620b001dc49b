import { LockMode, type InferEntity } from '@mikro-orm/core';
import { newEvent } from '@payroll/events';
import { DomainError, isId, notFound } from '@payroll/kernel';
import type { CommandTransaction } from '@payroll/store';
import { agreementsOf, handOver } from '../domain/draft.js';
import { ContractTable, WorkerTable } from '../store/tables.js';
import { toContract, type Contract } from '../store/contracts.js';

export type ContractEntity = InferEntity<typeof ContractTable>;

/** The contract, locked until commit. A deleted one cannot be changed: it is not found. */
export async function findContract({ em, workspaceId }: CommandTransaction, id: string): Promise<ContractEntity> {
  const locked = { lockMode: LockMode.PESSIMISTIC_WRITE } as const;
  const contract = isId(id) ? await em.findOne(ContractTable, { workspaceId, id }, locked) : null;
  if (!contract || contract.deletedAt !== null) throw notFound('The contract');
  return contract;
}

export async function contractAfter(
  { em, workspaceId }: CommandTransaction,
  contract: ContractEntity,
): Promise<Contract> {
  const worker =
    contract.workerId === null ? null : await em.findOneOrFail(WorkerTable, { workspaceId, id: contract.workerId });
  return toContract({ ...contract, workerName: worker?.name ?? null });
}

/** Stamps a changed contract and publishes its state to the services that keep a copy. */
export function contractChanged(
  tx: CommandTransaction,
  contract: ContractEntity,
  action: string,
  change: unknown,
): void {
  contract.revision += 1;
  contract.updatedAt = tx.now;
  tx.audit(`contract.${action}`, contract.id, change);
  tx.emit(
    newEvent('contract.changed', contract.id, {
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
    }),
  );
}

/** NATS carries 1 MB; the rest is for what surrounds the body of an event. */
const MOST_BYTES = 900_000;

/** Hands the milestones of a draft over to review: each time all of them, so that the newest event is enough. */
export function milestonesAgreed(tx: CommandTransaction, { id, draft, currency }: ContractEntity): void {
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
