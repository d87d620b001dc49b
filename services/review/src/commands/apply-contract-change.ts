import type { EventBody } from '@payroll/events';
import { defineCommand, type CommandTransaction } from '@payroll/store';
import { reckon, sameReckoning } from '../domain/timesheet.js';
import { ContractTermsTable, TimesheetTable } from '../store/tables.js';
import { touch } from './find-timesheet.js';

/** Keeps the newest terms of a contract. Submitted work is reckoned anew and gets a new version where that changes it. */
export const applyContractChange = defineCommand(
  'contract-terms.apply',
  async (tx, change: EventBody<'contract.changed'>): Promise<void> => {
    const { workspaceId } = tx;
    const { contractId, employmentType: _e, contractType: _c, workerId: _w, ...terms } = change;
    const known = await tx.em.findOne(ContractTermsTable, { workspaceId, contractId });
    if (known && known.revision >= change.revision) return;
    if (known) Object.assign(known, terms);
    else tx.em.persist(tx.em.create(ContractTermsTable, { workspaceId, contractId, ...terms }));
    if (known && change.rate !== null) await reckonSubmittedWork(tx, change);
  },
);

async function reckonSubmittedWork(tx: CommandTransaction, terms: EventBody<'contract.changed'>): Promise<void> {
  const { workspaceId } = tx;
  const submitted = await tx.em.find(
    TimesheetTable,
    { workspaceId, contractId: terms.contractId, status: 'submitted' },
    { orderBy: { id: 'asc' } },
  );
  for (const timesheet of submitted) {
    const reckoned = reckon(terms, timesheet.unitsWorked, timesheet.periodEnd);
    if (sameReckoning(timesheet, reckoned)) continue;
    Object.assign(timesheet, reckoned);
    touch(tx, timesheet);
    tx.audit('timesheet.terms-changed', timesheet.id, reckoned);
  }
}
