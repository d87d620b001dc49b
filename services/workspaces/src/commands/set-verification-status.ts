import { INTERNAL, type KybStatus } from '@payroll/kernel';
import { defineCommand } from '@payroll/store';
import { followVerification } from '../domain/verification.js';
import type { Business } from '../domain/workspace.js';
import { businessAfter, findBusiness, tellBusiness } from './find-business.js';

/** Says how far the verification of the business is: payouts need a verified one. */
export const setVerificationStatus = defineCommand(
  'business.set-verification-status',
  INTERNAL,
  async (tx, { kybStatus }: { kybStatus: KybStatus }): Promise<Business> => {
    const business = await findBusiness(tx);
    const from = business.kybStatus;
    const change = { kybStatus: followVerification(from, kybStatus), revision: business.revision + 1 };
    Object.assign(business, change, { updatedAt: tx.now });
    tx.audit('business.verification-changed', business.id, { kybStatus: { from, to: kybStatus } });
    tellBusiness(tx, business);
    return businessAfter(business);
  },
);
