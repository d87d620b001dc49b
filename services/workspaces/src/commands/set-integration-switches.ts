import { MANAGERS } from '@payroll/kernel';
import { defineCommand } from '@payroll/store';
import type { Business, IntegrationSwitches } from '../domain/workspace.js';
import { businessAfter, findBusiness } from './find-business.js';

/** Holds from the next request of any key or connection of the workspace on. */
export const setIntegrationSwitches = defineCommand(
  'business.set-integration-switches',
  MANAGERS,
  async (tx, to: IntegrationSwitches): Promise<Business> => {
    const business = await findBusiness(tx);
    const { integrationEnabled, writesEnabled } = business;
    if (to.integrationEnabled !== integrationEnabled || to.writesEnabled !== writesEnabled) {
      Object.assign(business, to, { updatedAt: tx.now });
      tx.audit('business.switches-set', business.id, { from: { integrationEnabled, writesEnabled }, to });
    }
    return businessAfter(business);
  },
);
