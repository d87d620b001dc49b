import { toInstant } from '@payroll/kernel';
import { part } from '@payroll/store';
import type { Timesheet } from '../domain/timesheet.js';
import { versionOf } from '../domain/version.js';

/** A row of the table, by either way of reading it. */
export type TimesheetRow = Omit<Timesheet, 'rate' | 'total' | 'version'> & {
  revision: number;
  currency: string;
  rate: string;
  total: string;
};

/** Columns of `timesheet` under the names of a `TimesheetRow`. */
export const TIMESHEET_COLUMNS = part`
  timesheet.id, timesheet.contract_id as "contractId", timesheet.revision, timesheet.status,
  timesheet.period_start as "periodStart", timesheet.period_end as "periodEnd",
  timesheet.units_worked as "unitsWorked", timesheet.currency, timesheet.rate, timesheet.total,
  timesheet.payment_scheduled_date as "paymentScheduledDate", timesheet.auto_pay_enabled as "autoPayEnabled",
  timesheet.rejection_reason as "rejectionReason", timesheet.payment_id as "paymentId",
  timesheet.payment_status as "paymentStatus", timesheet.submitted_at as "submittedAt",
  timesheet.created_at as "createdAt", timesheet.updated_at as "updatedAt"`;

export function toTimesheet(row: TimesheetRow): Timesheet {
  return {
    id: row.id,
    contractId: row.contractId,
    status: row.status,
    periodStart: row.periodStart,
    periodEnd: row.periodEnd,
    unitsWorked: row.unitsWorked,
    rate: { amount: row.rate, currency: row.currency },
    total: { amount: row.total, currency: row.currency },
    paymentScheduledDate: row.paymentScheduledDate,
    autoPayEnabled: row.autoPayEnabled,
    rejectionReason: row.rejectionReason,
    paymentId: row.paymentId,
    paymentStatus: row.paymentStatus,
    submittedAt: toInstant(row.submittedAt),
    createdAt: toInstant(row.createdAt),
    updatedAt: toInstant(row.updatedAt),
    version: versionOf(row.id, row.revision),
  };
}
