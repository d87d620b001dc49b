import { daysAfter, type Instant } from '@payroll/kernel';
import type { ContractTerms } from './contract-terms.js';

/** The term of a contract by which submitted work is approved without a person, by its public name. */
export type ApprovalRule =
  | { name: 'timesheetApprovalRequired'; value: false }
  | { name: 'autoApproveAfterDays'; value: number };

/** A hundred years: a term beyond it is as good as none, and its day may be none of the calendar. */
const NEVER_DAYS = 36_525;

/** Days of 24 hours from the submission. Rules end with a contract that is called off; its work is left to people. */
export function autoApprovalOf(terms: ContractTerms, submittedAt: Instant): { rule: ApprovalRule; at: Instant } | null {
  if (terms.deleted || terms.status === 'cancelled') return null;
  if (!terms.timesheetApprovalRequired) {
    return { rule: { name: 'timesheetApprovalRequired', value: false }, at: submittedAt };
  }
  const days = terms.autoApproveAfterDays;
  if (days === null || days > NEVER_DAYS) return null;
  return { rule: { name: 'autoApproveAfterDays', value: days }, at: daysAfter(submittedAt, days) };
}
