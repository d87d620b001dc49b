import { newEvent } from '@payroll/events';
import type { CommandTransaction } from '@payroll/commands';
import { isOpenForWork } from '../domain/contract-terms.js';
import { findTerms } from './find-work.js';

/** Mails the admins that there is work to review. */
export function tellReviewers(tx: CommandTransaction, { id }: { id: string }): void {
  tx.emit(newEvent('notice.work', id, { kind: 'work_waiting', aboutId: id, workerId: null }));
}

/** Mails the worker that rejected work is theirs to correct, unless the contract has ended: then a correction is refused. */
export async function tellWorker(tx: CommandTransaction, work: { id: string; contractId: string }): Promise<void> {
  const { id, contractId } = work;
  const { status, workerId } = (await findTerms(tx, contractId)) ?? { status: 'draft', workerId: null };
  if (workerId !== null && isOpenForWork(status))
    tx.emit(newEvent('notice.work', id, { kind: 'work_sent_back', aboutId: id, workerId }));
}
