import type { Instant } from '@payroll/kernel';
import type { CommandTransaction } from '@payroll/store';

/** Every write to a piece of work that its readers see makes a new version of it and moves its `updatedAt`. */
export function touch(tx: CommandTransaction, work: { revision: number; updatedAt: Instant }): void {
  work.revision += 1;
  work.updatedAt = tx.now;
}
