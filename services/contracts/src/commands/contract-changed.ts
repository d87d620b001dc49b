import { newEvent } from '@payroll/events';
import type { CommandTransaction } from '@payroll/store';
import type { ContractEntity } from './find-contract.js';

/** Stamps a changed contract and tells the services that keep what they need of it. */
export function contractChanged(
  tx: CommandTransaction,
  contract: ContractEntity,
  action: string,
  change: unknown,
): void {
  contract.revision += 1;
  contract.updatedAt = tx.now;
  tx.audit(`contract.${action}`, contract.id, change);
  tx.emit(
    newEvent('contract.changed', contract.id, {
      contractId: contract.id,
      revision: contract.revision,
      status: contract.status,
      employmentType: contract.employmentType,
      contractType: contract.contractType,
      workerId: contract.workerId,
      currency: contract.currency,
      rate: contract.rate,
      paymentDueDays: contract.paymentDueDays,
      autoPayEnabled: contract.autoPayEnabled,
      autoApproveAfterDays: contract.autoApproveAfterDays,
      timesheetApprovalRequired: contract.timesheetApprovalRequired,
      deleted: contract.deletedAt !== null,
    }),
  );
}
