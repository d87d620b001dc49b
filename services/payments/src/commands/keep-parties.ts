import type { EventBody } from '@payroll/events';
import { SYSTEM_ONLY } from '@payroll/kernel';
import { defineCommand } from '@payroll/store';
import { BusinessTable, ContractWorkerTable } from '../store/tables.js';

// Events may overtake each other: the newest revision is kept.

export const keepContractWorker = defineCommand(
  'contract-worker.keep',
  SYSTEM_ONLY,
  async ({ em, workspaceId }, body: EventBody<'contract.changed'>) => {
    const { contractId, workerId, revision } = body;
    const known = await em.findOne(ContractWorkerTable, { workspaceId, contractId });
    if (known && known.revision >= revision) return;
    if (known) Object.assign(known, { workerId, revision });
    else em.create(ContractWorkerTable, { workspaceId, contractId, workerId, revision });
  },
);

export const keepBusiness = defineCommand(
  'business.keep',
  SYSTEM_ONLY,
  async ({ em, workspaceId }, { kybStatus, revision }: EventBody<'business.changed'>) => {
    const known = await em.findOne(BusinessTable, { workspaceId });
    if (known && known.revision >= revision) return;
    if (known) Object.assign(known, { kybStatus, revision });
    else em.create(BusinessTable, { workspaceId, kybStatus, revision });
  },
);
