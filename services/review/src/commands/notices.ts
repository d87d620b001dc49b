import { newEvent } from '@payroll/events';
import type { CommandTransaction } from '@payroll/commands';
import { findTerms } from './find-work.js';

/** Mails the admins that there is work to review. */
export function tellReviewers(tx: CommandTransaction, { id }: { id: string }): void {
  tx.emit(newEvent('notice.work', id, { kind: 'work_waiting', aboutId: id, workerId: null }));
}

/** Mails the worker that rejected work is theirs to correct. */
export async function tellWorker(tx: CommandTransaction, work: { id: string; contractId: string }): Promise<void> {
  const { id, contractId } = work;
  const workerId = (await findTerms(tx, contractId))?.workerId ?? null;
  if (workerId !== null) tx.emit(newEvent('notice.work', id, { kind: 'work_sent_back', aboutId: id, workerId }));
}
