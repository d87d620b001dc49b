import { startRunner, type ServiceParts } from '@payroll/service';
import { sql, write } from '@payroll/store';

const EVERY_MS = 3_600_000;

/** Deletes drafts of timesheets that were not submitted within 180 days. */
export function forgetDrafts({ em, log }: Pick<ServiceParts, 'em' | 'log'>): AsyncDisposable {
  const work = async (): Promise<void> => {
    await write(em, sql`delete from timesheet_draft where saved_at < now() - interval '180 days'`);
  };
  return startRunner({ name: 'forget-drafts', everyMs: EVERY_MS, work, log });
}
