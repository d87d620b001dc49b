import type { EntityManager } from '@mikro-orm/postgresql';
import type { Fetch } from '@payroll/subgraph';
import type { Timesheet } from '../domain/timesheet.js';
import type { ReviewRows } from '../store/schema.js';
import { TIMESHEET_COLUMNS, toTimesheet } from '../store/to-timesheet.js';
import { askedContracts, groupByContract, NEWEST } from './by-contract.js';

/** The newest timesheets of each contract, by one statement for all contracts asked for together. */
export function timesheetsOfContracts(em: EntityManager): Fetch<Timesheet[]> {
  return async (keys) => {
    const rows = await em
      .getKysely<ReviewRows>()
      .selectFrom(askedContracts(keys))
      .innerJoinLateral(
        (each) =>
          each
            .selectFrom('timesheet')
            .whereRef('timesheet.workspace_id', '=', 'asked.workspace_id')
            .whereRef('timesheet.contract_id', '=', 'asked.contract_id')
            .selectAll()
            .orderBy('created_at', 'desc')
            .orderBy('id', 'desc')
            .limit(NEWEST)
            .as('timesheet'),
        (join) => join.onTrue(),
      )
      .select(TIMESHEET_COLUMNS)
      .select('asked.workspace_id as workspaceId')
      .orderBy('timesheet.created_at', 'desc')
      .orderBy('timesheet.id', 'desc')
      .execute();
    return groupByContract(rows, toTimesheet);
  };
}
