import type { EntityManager } from '@mikro-orm/postgresql';
import { keyOf, type EntityKey, type Fetch } from '@payroll/subgraph';
import { sql } from 'kysely';
import type { Timesheet } from '../domain/timesheet.js';
import { toTimesheet, type TimesheetRow } from '../store/to-timesheet.js';

/** More are read from the list with its `contractId` filter. */
const NEWEST = 50;

/** The newest timesheets of each contract, by one statement for all contracts asked for together. */
export function timesheetsOfContracts(em: EntityManager): Fetch<Timesheet[]> {
  return async (keys) => {
    const { rows } = await sql<TimesheetRow & EntityKey>`
      select asked.workspace_id as "workspaceId", asked.contract_id as "contractId", t.id, t.revision, t.status,
        t.period_start as "periodStart", t.period_end as "periodEnd", t.units_worked as "unitsWorked", t.currency, t.rate,
        t.total, t.payment_scheduled_date as "paymentScheduledDate", t.auto_pay_enabled as "autoPayEnabled",
        t.payment_id as "paymentId", t.created_at as "createdAt", t.updated_at as "updatedAt"
      from unnest(${keys.map((key) => key.workspaceId)}::uuid[], ${keys.map((key) => key.id)}::uuid[])
        as asked (workspace_id, contract_id)
      cross join lateral (
        select * from timesheet
        where timesheet.workspace_id = asked.workspace_id and timesheet.contract_id = asked.contract_id
        order by created_at desc, id desc limit ${NEWEST}
      ) t`.execute(em.getKysely());
    const byContract = new Map<string, Timesheet[]>();
    for (const row of rows) {
      const key = keyOf({ workspaceId: row.workspaceId, id: row.contractId });
      byContract.set(key, [...(byContract.get(key) ?? []), toTimesheet(row)]);
    }
    return byContract;
  };
}
