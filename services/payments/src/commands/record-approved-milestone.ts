import type { EventBody } from '@payroll/events';
import { SYSTEM_ONLY } from '@payroll/kernel';
import { defineCommand } from '@payroll/store';
import { createPayment } from './create-payment.js';

/** The payment of a milestone is due at once, whatever the contract says of automatic payment (public-api.md §3). */
export const recordApprovedMilestone = defineCommand(
  'payment.create-for-milestone',
  SYSTEM_ONLY,
  (tx, approval: EventBody<'milestone.approved'>): Promise<void> => {
    createPayment(tx, {
      id: approval.paymentId,
      contractId: approval.contractId,
      sourceType: 'milestone',
      sourceId: approval.milestoneId,
      currency: approval.amount.currency,
      gross: approval.amount.amount,
      scheduledDate: null,
      autoPayEnabled: true,
    });
    return Promise.resolve();
  },
);
