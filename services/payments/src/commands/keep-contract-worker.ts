import type { EventBody } from '@payroll/events';
import { SYSTEM_ONLY } from '@payroll/kernel';
import { defineCommand } from '@payroll/store';
import { ContractWorkerTable } from '../store/tables.js';

/** Keeps whose work a contract is for. Events may overtake each other: the newest revision stays. */
export const keepContractWorker = defineCommand(
  'contract-worker.keep',
  SYSTEM_ONLY,
  async (tx, { contractId, workerId, revision }: EventBody<'contract.changed'>): Promise<void> => {
    const { workspaceId } = tx;
    const known = await tx.em.findOne(ContractWorkerTable, { workspaceId, contractId });
    if (known && known.revision >= revision) return;
    if (known) Object.assign(known, { workerId, revision });
    else tx.em.persist(tx.em.create(ContractWorkerTable, { workspaceId, contractId, workerId, revision }));
  },
);
