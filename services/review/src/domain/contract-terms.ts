import type { EventBody } from '@payroll/events';
import { daysAfter, DomainError, type Instant, notFound } from '@payroll/kernel';

/**
 * The part of a contract that review stores, from its events. The first event is published when it is submitted for
 * verification.
 */
export type ContractTerms = Omit<
  EventBody<'contract.changed'>,
  'revision' | 'status' | 'employmentType' | 'contractType' | 'workerId'
> & { status: string };

export type ContractState = Pick<ContractTerms, 'status' | 'deleted'>;

const OPEN_FOR_WORK: ReadonlySet<string> = new Set(['active', 'offboarding']);
export function isOpenForWork(status: string): boolean {
  return OPEN_FOR_WORK.has(status);
}

const ENDED: ReadonlySet<string> = new Set(['completed', 'cancelled']);

/** Work can be submitted under active contracts and during offboarding, whose last work is still paid. */
export function requireOpenForWork<Known extends ContractState>(terms: Known | null): Known {
  const known = requireKnown(terms);
  if (!isOpenForWork(known.status)) {
    throw new DomainError(
      'INVALID_STATE',
      `The contract is ${known.status}; work is submitted under active contracts.`,
    );
  }
  return known;
}

/** Milestones can be changed until the contract has ended. */
export function requireNotEnded(contract: ContractState): void {
  const { status } = requireKnown(contract);
  if (ENDED.has(status)) throw new DomainError('INVALID_STATE', `The contract is ${status}.`);
}

function requireKnown<Known extends ContractState>(terms: Known | null): Known {
  if (!terms) throw new DomainError('NOT_FOUND', 'This workspace has no such contract, or it is still a draft.');
  if (terms.deleted) throw notFound('The contract');
  return terms;
}

/** The contract term, by its public name, that approves submitted work without a person. */
export type ApprovalRule =
  | { name: 'timesheetApprovalRequired'; value: false }
  | { name: 'autoApproveAfterDays'; value: number };

/** A hundred years. A longer term never takes effect, and its date could be outside the calendar. */
const NEVER_DAYS = 36_525;

/**
 * Days are 24 hours from the submission. Rules do not apply once a contract is cancelled; a person then decides on
 * its work.
 */
export function autoApprovalOf(terms: ContractTerms, submittedAt: Instant): { rule: ApprovalRule; at: Instant } | null {
  if (terms.deleted || terms.status === 'cancelled') return null;
  if (!terms.timesheetApprovalRequired) {
    return { rule: { name: 'timesheetApprovalRequired', value: false }, at: submittedAt };
  }
  const days = terms.autoApproveAfterDays;
  if (days === null || days > NEVER_DAYS) return null;
  return { rule: { name: 'autoApproveAfterDays', value: days }, at: daysAfter(submittedAt, days) };
}
