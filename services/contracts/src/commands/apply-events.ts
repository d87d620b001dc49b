import type { EventBody } from '@payroll/events';
import { SYSTEM_ONLY } from '@payroll/kernel';
import { defineCommand } from '@payroll/commands';
import { sql } from '@payroll/store';

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
