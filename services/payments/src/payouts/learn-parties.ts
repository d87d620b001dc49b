import type { ServiceParts } from '@payroll/service';
import { keepBusiness } from '../commands/keep-business.js';
import { keepContractWorker } from '../commands/keep-contract-worker.js';
import type { PaymentToProcess } from './due-payments.js';

export type LearnParties = (payment: PaymentToProcess) => Promise<void>;

/**
 * Fetches what decides over a payment and has not arrived yet, so that an event's delay fails no payment. What its owner
 * has never told of stays unknown, and the payment fails for it.
 * @throws DomainError `SERVICE_UNAVAILABLE` when the owner cannot be asked: the payment stays pending.
 */
export function learnParties({ askEvent, apply }: Pick<ServiceParts, 'askEvent' | 'apply'>): LearnParties {
  return async ({ workspaceId, contractId, contractKnown, businessKnown }) => {
    if (!contractKnown) {
      const changed = await askEvent('contract.changed', { workspaceId, aboutId: contractId });
      if (changed) await apply(keepContractWorker, changed);
    }
    if (!businessKnown) {
      const changed = await askEvent('business.changed', { workspaceId, aboutId: workspaceId });
      if (changed) await apply(keepBusiness, changed);
    }
  };
}
