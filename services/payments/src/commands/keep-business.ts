import type { EventBody } from '@payroll/events';
import { SYSTEM_ONLY } from '@payroll/kernel';
import { defineCommand } from '@payroll/store';
import { BusinessTable } from '../store/tables.js';

/** Keeps how far the verification of the workspace's business is. The newest revision stays. */
export const keepBusiness = defineCommand(
  'business.keep',
  SYSTEM_ONLY,
  async (tx, { kybStatus, revision }: EventBody<'business.changed'>): Promise<void> => {
    const { workspaceId } = tx;
    const known = await tx.em.findOne(BusinessTable, { workspaceId });
    if (known && known.revision >= revision) return;
    if (known) Object.assign(known, { kybStatus, revision });
    else tx.em.persist(tx.em.create(BusinessTable, { workspaceId, kybStatus, revision }));
  },
);
