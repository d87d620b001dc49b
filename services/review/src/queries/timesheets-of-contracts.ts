import type { EntityManager } from '@mikro-orm/postgresql';
import { part, readComposed } from '@payroll/store';
import type { Fetch } from '@payroll/subgraph';
import type { Timesheet } from '../domain/timesheet.js';
import { TIMESHEET_COLUMNS, toTimesheet, type TimesheetRow } from '../store/to-timesheet.js';
import { askedContracts, groupByContract, NEWEST, type OfContract } from './by-contract.js';

/** The newest timesheets of each contract, by one statement for all contracts asked for together. */
export function timesheetsOfContracts(em: EntityManager): Fetch<Timesheet[]> {
  return async (keys) => {
    const rows = await readComposed<TimesheetRow & OfContract>(
      em,
      part`select ${TIMESHEET_COLUMNS}, asked.workspace_id as "workspaceId" from ${askedContracts(keys)}
        cross join lateral (
          select * from timesheet
          where timesheet.workspace_id = asked.workspace_id and timesheet.contract_id = asked.contract_id
          order by created_at desc, id desc limit ${NEWEST}
        ) timesheet
        order by timesheet.created_at desc, timesheet.id desc`,
    );
    return groupByContract(rows, toTimesheet);
  };
}
