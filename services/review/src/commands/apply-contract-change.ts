import type { EventBody } from '@payroll/events';
import { SYSTEM_ONLY } from '@payroll/kernel';
import { defineCommand, type CommandTransaction } from '@payroll/store';
import { autoApprovalOf } from '../domain/auto-approval.js';
import { reckon, sameReckoning } from '../domain/timesheet.js';
import { ContractTermsTable, TimesheetTable } from '../store/tables.js';
import { findTerms, touch } from './find-work.js';

/** Keeps the newest terms of a contract. Submitted work is reckoned anew and gets a new version where that changes it. */
export const applyContractChange = defineCommand(
  'contract-terms.apply',
  SYSTEM_ONLY,
  async (tx, change: EventBody<'contract.changed'>): Promise<void> => {
    const { workspaceId } = tx;
    const { contractId, employmentType: _e, contractType: _c, workerId: _w, ...terms } = change;
    const known = await findTerms(tx, contractId);
    if (known && known.revision >= change.revision) return;
    if (known) Object.assign(known, terms);
    else tx.em.persist(tx.em.create(ContractTermsTable, { workspaceId, contractId, ...terms }));
    if (known) await reckonSubmittedWork(tx, change);
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
    // When a rule would approve it is nothing a reviewer sees: that alone makes no new version.
    timesheet.approveAt = autoApprovalOf(terms, timesheet.submittedAt)?.at ?? null;
    const reckoned = reckon(terms, timesheet);
    // Terms that come to nothing leave the work as it was handed in, for the reviewer to decide.
    if (reckoned === null || sameReckoning(timesheet, reckoned)) continue;
    Object.assign(timesheet, reckoned);
    touch(tx, timesheet);
    tx.audit('timesheet.terms-changed', timesheet.id, reckoned);
  }
}
