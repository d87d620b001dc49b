import { INTERNAL_ONLY, newId } from '@payroll/kernel';
import { defineCommand, type CommandTransaction } from '@payroll/commands';
import { requireNotEnded, requireOpenForWork } from '../domain/contract-terms.js';
import {
  type ChangedDetails,
  changeDetails,
  followMilestone,
  type MilestoneDetails,
  readDetails,
} from '../domain/milestone.js';
import { toMilestone } from '../store/views.js';
import { MilestoneTable } from '../store/tables.js';
import { findMilestone, findContractState, findTerms, nextRevision, type MilestoneRow } from './work.js';

type Planned = MilestoneDetails & { contractId: string };
type NewMilestone = Planned & { id: string; currency: string; draftRevision: number };

export function createMilestone(tx: CommandTransaction, milestone: NewMilestone): MilestoneRow {
  return tx.insert(MilestoneTable, {
    revision: 1,
    status: 'pending',
    ...milestone,
    paymentDate: null,
    note: null,
    rejectionReason: null,
    paymentId: null,
    paymentSequence: 0,
  });
}

/** Adds a milestone to a contract that has not ended, in the contract's currency. */
export const addMilestone = defineCommand('milestone.add', {
  who: INTERNAL_ONLY,
  decide: async (tx, { contractId, ...given }: Planned) => {
    const terms = requireOpenForWork(await findTerms(tx, contractId));
    const { currency } = terms;
    const details = readDetails(given, currency);
    const milestone = createMilestone(tx, {
      id: newId(),
      contractId: terms.contractId,
      currency,
      draftRevision: 0,
      ...details,
    });
    tx.audit('milestone.added', milestone.id, {
      contractId: terms.contractId,
      amount: { amount: details.amount, currency },
    });
    return toMilestone(milestone);
  },
});

type Change = ChangedDetails & { id: string };

/** Changes a milestone that is pending or rejected. */
export const updateMilestone = defineCommand('milestone.update', {
  who: INTERNAL_ONLY,
  decide: async (tx, { id, ...change }: Change) => {
    const milestone = await findMilestone(tx, id);
    const status = followMilestone(milestone.status, 'change');
    requireNotEnded(await findContractState(tx, milestone));
    const details = readDetails(changeDetails(milestone, change), milestone.currency);
    const updated = tx.update(MilestoneTable, milestone, { ...details, status, ...nextRevision(tx, milestone) });
    tx.audit('milestone.updated', id, change);
    return toMilestone(updated);
  },
});
