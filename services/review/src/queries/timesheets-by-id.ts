import type { EntityManager } from '@mikro-orm/postgresql';
import { keyOf, type Fetch } from '@payroll/subgraph';
import { sql } from 'kysely';
import type { Timesheet } from '../domain/timesheet.js';
import type { ReviewRows } from '../store/schema.js';
import { TIMESHEET_COLUMNS, toTimesheet } from '../store/to-timesheet.js';

export function timesheetsById(em: EntityManager): Fetch<Timesheet> {
  return async (keys) => {
    const rows = await em
      .getKysely<ReviewRows>()
      .selectFrom('timesheet')
      .where(
        sql<boolean>`(workspace_id, id) in (
          select * from unnest(${keys.map((key) => key.workspaceId)}::uuid[], ${keys.map((key) => key.id)}::uuid[]))`,
      )
      .select(TIMESHEET_COLUMNS)
      .select('timesheet.workspace_id as workspaceId')
      .execute();
    return new Map(rows.map((row) => [keyOf(row), toTimesheet(row)]));
  };
}
