import type { EventBody } from '@payroll/events';
import { DomainError, notFound } from '@payroll/kernel';

/** What review keeps of a contract, from its events. */
export type ContractTerms = Omit<
  EventBody<'contract.changed'>,
  'revision' | 'status' | 'employmentType' | 'contractType' | 'workerId'
> & { status: string };

const OPEN_FOR_WORK: ReadonlySet<string> = new Set(['active', 'offboarding']);
const ENDED: ReadonlySet<string> = new Set(['completed', 'cancelled']);

/** Work is taken for active contracts, and for those that are being wound up, whose last work is still due. */
export function requireOpenForWork(terms: ContractTerms | null): ContractTerms {
  const known = requireKnown(terms);
  if (!OPEN_FOR_WORK.has(known.status)) {
    throw new DomainError(
      'INVALID_STATE',
      `The contract is ${known.status}; work is submitted under active contracts.`,
    );
  }
  return known;
}

/** What is still to be done may be agreed anew until the contract has ended. */
export function requireNotEnded(terms: ContractTerms | null): ContractTerms {
  const known = requireKnown(terms);
  if (ENDED.has(known.status)) throw new DomainError('INVALID_STATE', `The contract is ${known.status}.`);
  return known;
}

function requireKnown(terms: ContractTerms | null): ContractTerms {
  if (!terms || terms.deleted) throw notFound('The contract');
  return terms;
}
