import type { EntityManager } from '@mikro-orm/postgresql';
import { isId, type TimesheetStatus } from '@payroll/kernel';
import { Keyset, type Page } from '@payroll/store';
import type { Timesheet } from '../domain/timesheet.js';
import type { ReviewRows } from '../store/schema.js';
import { TIMESHEET_COLUMNS, toTimesheet } from '../store/to-timesheet.js';

export interface TimesheetFilters {
  status?: TimesheetStatus | null;
  contractId?: string | null;
  updatedSince?: string | null;
  limit: number;
  cursor?: string | null;
}

export async function listTimesheets(
  em: EntityManager,
  workspaceId: string,
  { status, contractId, updatedSince, limit, cursor }: TimesheetFilters,
): Promise<Page<Timesheet>> {
  const filters = { status: status ?? null, contractId: contractId ?? null };
  const keyset = new Keyset({ workspaceId, filters, limit, cursor, updatedSince });
  if (contractId && !isId(contractId)) return { nodes: [], hasMore: false, nextCursor: null };
  let query = em
    .getKysely<ReviewRows>()
    .selectFrom('timesheet')
    .where('workspace_id', '=', workspaceId)
    .where(keyset.where('timesheet'));
  if (status) query = query.where('status', '=', status);
  if (contractId) query = query.where('contract_id', '=', contractId);
  const rows = await query
    .select(TIMESHEET_COLUMNS)
    .orderBy(keyset.orderBy('timesheet'))
    .limit(keyset.rowLimit)
    .execute();
  return keyset.page(rows, toTimesheet);
}
