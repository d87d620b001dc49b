import type { CommandTransaction } from '@payroll/store';
import { invalid } from '../domain/invalid.js';
import type { PeriodOfWork } from '../domain/period.js';
import { TimesheetTable } from '../store/tables.js';

/**
 * One day of one contract is paid once. Rejected work does not hold its days, nor does work whose payment was cancelled:
 * neither will be paid. No race: the change clock lets one command of the workspace in at a time.
 * @throws DomainError `VALIDATION_FAILED` when other work of the contract covers a day of the period.
 */
export async function requireFreePeriod(
  { em, workspaceId }: CommandTransaction,
  { id, contractId, periodStart, periodEnd }: PeriodOfWork & { id: string; contractId: string },
): Promise<void> {
  const taken = await em.count(TimesheetTable, {
    workspaceId,
    contractId,
    id: { $ne: id },
    periodStart: { $lte: periodEnd },
    periodEnd: { $gte: periodStart },
    status: { $ne: 'rejected' },
    $or: [{ paymentStatus: null }, { paymentStatus: { $ne: 'cancelled' } }],
  });
  if (taken > 0) {
    throw invalid('periodStart', 'overlaps', 'Other work under this contract covers days of this period.');
  }
}
