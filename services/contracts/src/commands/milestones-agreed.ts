import { newEvent } from '@payroll/events';
import { DomainError } from '@payroll/kernel';
import type { CommandTransaction } from '@payroll/store';
import { agreementsOf, handOver } from '../domain/milestones.js';
import type { ContractEntity } from './find-contract.js';

/** What NATS carries is 1 MB; the rest is for what an event has around its body. */
const MOST_BYTES = 900_000;

/** Hands the milestones of a draft over to review: each time all of them, so that the newest event is enough. */
export function milestonesAgreed(tx: CommandTransaction, { id, draft, currency }: ContractEntity): void {
  const body = {
    contractId: id,
    milestones: handOver(draft.milestones, currency),
    agreements: agreementsOf(draft.milestones),
  };
  if (Buffer.byteLength(JSON.stringify(body)) > MOST_BYTES) {
    throw new DomainError('VALIDATION_FAILED', 'There are more or longer milestones than a contract can have.', {
      details: [{ path: 'milestones', code: 'too_long' }],
    });
  }
  tx.emit(newEvent('contract.milestones-agreed', id, body));
}
