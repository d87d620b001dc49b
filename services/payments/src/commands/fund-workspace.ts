import { requireInternal } from '@payroll/kernel';
import { defineCommand } from '@payroll/store';
import { enteredAmount, enteredText } from '../domain/entered.js';
import { fundingEntries, type LedgerPosting } from '../domain/ledger.js';
import { postToLedger } from './post-to-ledger.js';

export interface FundWorkspace {
  /** Decimal string above zero. */
  amount: string;
  currency: string;
  /** How the sender named the transfer. */
  reference: string;
}

const MAX_REFERENCE_LENGTH = 140;

/** Money of the business arrived from outside, and can be spent. */
export const fundWorkspace = defineCommand(
  'workspace.fund',
  async (tx, input: FundWorkspace): Promise<LedgerPosting> => {
    requireInternal(tx.origin.actor);
    const amount = enteredAmount(input.amount, input.currency);
    const reference = enteredText('reference', input.reference, MAX_REFERENCE_LENGTH);
    const posting = await postToLedger(tx, {
      kind: 'funding',
      currency: input.currency,
      entries: fundingEntries(amount),
      reference,
    });
    tx.audit('workspace.funded', posting.id, { amount, reference });
    return posting;
  },
);
