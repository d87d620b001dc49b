import { daysAfter, type Instant } from '@payroll/kernel';
import type { ContractTerms } from './contract-terms.js';

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
