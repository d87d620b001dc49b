import { INTERNAL, refuseProblems } from '@payroll/kernel';
import { defineCommand } from '@payroll/store';
import { problemsOfCountry, problemsOfName } from '../domain/problems.js';
import type { Business } from '../domain/workspace.js';
import { businessAfter, findBusiness } from './find-business.js';

export interface UpdateBusiness {
  /** What is not given stays. */
  name?: string | null | undefined;
  country?: string | null | undefined;
}

export const updateBusiness = defineCommand(
  'business.update',
  INTERNAL,
  async (tx, input: UpdateBusiness): Promise<Business> => {
    const business = await findBusiness(tx);
    const from = { name: business.name, country: business.country };
    const to = { name: input.name ?? from.name, country: input.country ?? from.country };
    refuseProblems(
      [...problemsOfName('name', to.name), ...problemsOfCountry(to.country)],
      'A business has a name and a country of two capital letters (ISO 3166-1 alpha-2).',
    );
    if (to.name !== from.name || to.country !== from.country) {
      Object.assign(business, to, { updatedAt: tx.now });
      tx.audit('business.updated', business.id, { from, to });
    }
    return businessAfter(business);
  },
);
