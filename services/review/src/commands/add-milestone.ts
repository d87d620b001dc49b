import { INTERNAL, newId } from '@payroll/kernel';
import { defineCommand } from '@payroll/store';
import { requireOpenForWork } from '../domain/contract-terms.js';
import { readDetails, type MilestoneDetails } from '../domain/milestone-details.js';
import type { Milestone } from '../domain/milestone.js';
import { toMilestone } from '../store/to-milestone.js';
import { createMilestone } from './create-milestone.js';
import { findTerms } from './find-terms.js';

export interface AddMilestone extends MilestoneDetails {
  contractId: string;
}

/** One more milestone of a contract under which work is done, in the contract's currency. */
export const addMilestone = defineCommand(
  'milestone.add',
  INTERNAL,
  async (tx, { contractId, ...given }: AddMilestone): Promise<Milestone> => {
    const terms = requireOpenForWork(await findTerms(tx, contractId));
    const { currency } = terms;
    const details = readDetails(given, currency);
    const milestone = createMilestone(tx, {
      id: newId(),
      contractId: terms.contractId,
      currency,
      agreement: 0,
      ...details,
    });
    tx.audit('milestone.added', milestone.id, {
      contractId: terms.contractId,
      amount: { amount: details.amount, currency },
    });
    return toMilestone(milestone);
  },
);
