import type { EntityManager } from '@mikro-orm/postgresql';
import { isId, type TimesheetStatus } from '@payroll/kernel';
import { Keyset, part, readComposed, type Page } from '@payroll/store';
import type { Timesheet } from '../domain/timesheet.js';
import { TIMESHEET_COLUMNS, toTimesheet, type TimesheetRow } from '../store/to-timesheet.js';

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
  const keyset = new Keyset({ list: 'timesheets', workspaceId, filters, limit, cursor, updatedSince });
  if (contractId && !isId(contractId)) return { nodes: [], hasMore: false, nextCursor: null };
  const statement = keyset.statement(part`select ${TIMESHEET_COLUMNS} from timesheet`, 'timesheet', [
    status && part`status = ${status}`,
    contractId && part`contract_id = ${contractId}`,
  ]);
  const rows = await readComposed<TimesheetRow>(em, statement);
  return keyset.page(rows, toTimesheet);
}
