import { amountProblem, DomainError, Money } from '@payroll/kernel';
import type { CommandTransaction } from '@payroll/store';
import { fundingEntries } from '../domain/ledger.js';
import type { MoneyValue } from '../domain/money-value.js';
import { postToLedger } from './post-to-ledger.js';

/**
 * Money of the business arrived from outside, and can be spent. The posting has the instruction's id, so that Postgres
 * books an instruction once whatever else goes wrong.
 */
export async function fundWorkspace(
  tx: CommandTransaction,
  { id, amount, reference }: { id: string; amount: MoneyValue; reference: string },
): Promise<void> {
  const problem = amountProblem(amount);
  if (problem) throw new DomainError('INVALID_STATE', `This cannot be booked; decline it. ${problem.message}`);
  const entries = fundingEntries(Money.of(amount.amount, amount.currency));
  await postToLedger(tx, { id, kind: 'funding', currency: amount.currency, entries, reference });
  tx.audit('workspace.funded', id, { amount, reference });
}
