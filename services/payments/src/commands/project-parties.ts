import type { EventBody } from '@payroll/events';
import { SYSTEM_ONLY } from '@payroll/kernel';
import { defineCommand } from '@payroll/commands';
import { sql } from '@payroll/store';

// Events may arrive out of order: the newest revision is kept.

export const projectContractWorker = defineCommand('contract-worker.keep', {
  who: SYSTEM_ONLY,
  decide: (tx, { contractId, workerId, revision }: EventBody<'contract.changed'>) =>
    tx.write(sql`insert into contract_worker as known (workspace_id, contract_id, worker_id, revision)
      values (${tx.workspaceId}, ${contractId}, ${workerId}, ${revision})
      on conflict (workspace_id, contract_id) do update set worker_id = excluded.worker_id, revision = excluded.revision
      where known.revision < excluded.revision`),
});

export const projectBusiness = defineCommand('business.keep', {
  who: SYSTEM_ONLY,
  decide: (tx, { kybStatus, revision }: EventBody<'business.changed'>) =>
    tx.write(sql`insert into business as known (workspace_id, kyb_status, revision)
      values (${tx.workspaceId}, ${kybStatus}, ${revision})
      on conflict (workspace_id) do update set kyb_status = excluded.kyb_status, revision = excluded.revision
      where known.revision < excluded.revision`),
});
