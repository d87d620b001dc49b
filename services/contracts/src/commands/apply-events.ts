import type { EventBody } from '@payroll/events';
import { SYSTEM_ONLY, unavailable } from '@payroll/kernel';
import { defineCommand, type WorkspaceReader } from '@payroll/commands';
import { sql } from '@payroll/store';
import type { Business } from '../domain/agreement-text.js';
import { BusinessTable } from '../store/tables.js';

/** Events may arrive out of order: the newest revision is kept. */
export const projectBusiness = defineCommand('business.keep', {
  who: SYSTEM_ONLY,
  decide: (tx, { name, country, revision }: EventBody<'business.changed'>) =>
    tx.write(sql`insert into business as known (workspace_id, name, country, revision)
      values (${tx.workspaceId}, ${name}, ${country}, ${revision})
      on conflict (workspace_id) do update
        set name = excluded.name, country = excluded.country, revision = excluded.revision
      where known.revision < excluded.revision`),
});

/** @throws DomainError `SERVICE_UNAVAILABLE` until the event of a new workspace has arrived */
export async function businessOf(rows: WorkspaceReader): Promise<Business> {
  const business = await rows.find(BusinessTable, {});
  if (!business) throw unavailable('The name of the business');
  return business;
}
