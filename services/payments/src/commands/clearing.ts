import { Money, staffOfTeams } from '@payroll/kernel';
import { defineCommand, type CommandTransaction } from '@payroll/commands';
import { personOfFinance, type ClearingInstructed } from '../domain/instruction.js';
import { clearingEntries, type DifferenceAccount } from '../domain/ledger.js';
import { enteredAmount } from '../domain/values.js';
import { enteredReason, keep } from './keep-instruction.js';
import { postToLedger, requireBalance } from './post-to-ledger.js';

export interface Clearing {
  account: DifferenceAccount;
  /** Decimal string above zero. */
  amount: string;
  currency: string;
  reason: string;
}

/**
 * Records that the business and its workers have settled between themselves what a payout of another amount left
 * open.
 */
export const requestClearing = defineCommand('clearing.request', {
  who: staffOfTeams('finance'),
  decide: async (tx, { account, reason: text, ...given }: Clearing) => {
    const requestedBy = personOfFinance(tx.origin.actor);
    const amount = enteredAmount(given.amount, given.currency);
    const reason = enteredReason(text);
    await requireBalance(tx, clearingEntries(account, amount));
    return keep(tx, { kind: 'clearing', account, amount: amount.toJSON(), reason }, requestedBy);
  },
});

/** The posting has the instruction's id, so that Postgres books an instruction only once. */
export async function clearDifference(tx: CommandTransaction, id: string, cleared: ClearingInstructed): Promise<void> {
  const { account, amount, reason } = cleared;
  await postToLedger(tx, 'clearing', clearingEntries(account, Money.of(amount.amount, amount.currency)), { id });
  tx.audit('difference.cleared', id, { account, amount, reason });
}
