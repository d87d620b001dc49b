import { LockMode, type InferEntity } from '@mikro-orm/core';
import { isId, notFound } from '@payroll/kernel';
import type { CommandTransaction } from '@payroll/store';
import { ContractTable, WorkerTable } from '../store/tables.js';
import type { Contract } from '../domain/contract.js';
import { toContract } from '../store/to-contract.js';

export type ContractEntity = InferEntity<typeof ContractTable>;

/** The contract, locked until commit. A deleted one is not there any more for who wants to change it. */
export async function findContract({ em, workspaceId }: CommandTransaction, id: string): Promise<ContractEntity> {
  const contract = isId(id)
    ? await em.findOne(ContractTable, { workspaceId, id }, { lockMode: LockMode.PESSIMISTIC_WRITE })
    : null;
  if (!contract || contract.deletedAt !== null) throw notFound('The contract');
  return contract;
}

/** What readers will see of the contract once the command has committed. */
export async function contractAfter(
  { em, workspaceId }: CommandTransaction,
  contract: ContractEntity,
): Promise<Contract> {
  const worker =
    contract.workerId === null ? null : await em.findOneOrFail(WorkerTable, { workspaceId, id: contract.workerId });
  return toContract({ ...contract, workerName: worker?.name ?? null });
}
