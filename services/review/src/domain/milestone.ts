import {
  transition,
  isPositiveDecimal,
  Money,
  type CalendarDate,
  type MilestoneStatus,
  type PaymentStatus,
  type StateMachine,
  invalid,
  requireText,
} from '@payroll/kernel';
import { requirePayable } from './work.js';

export type MilestoneEdge =
  | 'change'
  | 'submit'
  | 'approve'
  | 'reject'
  | 'resubmit'
  | 'start payout'
  | 'return payout'
  | 'settle';

/** `completed`: the payout is in progress. `paid`: the payout has arrived. */
const milestoneMachine: StateMachine<MilestoneStatus, MilestoneEdge> = {
  pending: { change: 'pending', submit: 'submitted' },
  submitted: { approve: 'approved', reject: 'rejected' },
  approved: { 'start payout': 'completed', settle: 'paid' },
  completed: { settle: 'paid', 'return payout': 'approved' },
  paid: {},
  rejected: { change: 'rejected', resubmit: 'submitted' },
};

export function followMilestone(from: MilestoneStatus, edge: MilestoneEdge): MilestoneStatus {
  return transition(milestoneMachine, 'milestone', from, edge);
}

const EDGE_OF_PAYMENT: Readonly<Record<PaymentStatus, MilestoneEdge>> = {
  pending: 'return payout',
  processing: 'start payout',
  completed: 'settle',
  failed: 'return payout',
  cancelled: 'return payout',
};

/**
 * The status after a payment event. Events without an edge, such as a failure before the payout began, change
 * nothing.
 */
export function milestoneAfterPayment(from: MilestoneStatus, payment: PaymentStatus): MilestoneStatus {
  return milestoneMachine[from][EDGE_OF_PAYMENT[payment]] ?? from;
}

/** The agreed details of a milestone, within the bounds of public-api.md §4. */
export interface MilestoneDetails {
  /** 1–200 characters. */
  title: string;
  /** At most 10000 characters. */
  description: string | null;
  /** Decimal string above zero, in the milestone's currency. */
  amount: string;
  dueDate: CalendarDate | null;
  sortOrder: number;
}

/** Omitted fields keep their value; null clears a nullable field. */
export type ChangedDetails = { [Name in keyof MilestoneDetails]?: MilestoneDetails[Name] | null | undefined };

export function changeDetails(details: MilestoneDetails, change: ChangedDetails): MilestoneDetails {
  return {
    title: change.title ?? details.title,
    description: change.description === undefined ? details.description : change.description,
    amount: change.amount ?? details.amount,
    dueDate: change.dueDate === undefined ? details.dueDate : change.dueDate,
    sortOrder: change.sortOrder ?? details.sortOrder,
  };
}

const MAX_SORT_ORDER = 2 ** 31 - 1;

/** Normalizes the amount to its canonical form. @throws DomainError `VALIDATION_FAILED` */
export function readDetails(details: MilestoneDetails, currency: string): MilestoneDetails {
  const { title, description, amount, sortOrder } = details;
  requireText('title', title, 1, 200);
  if (description !== null) requireText('description', description, 0, 10_000);
  if (!isPositiveDecimal(amount)) throw invalid('amount', 'not_positive', 'amount must be greater than zero.');
  if (sortOrder < 0 || sortOrder > MAX_SORT_ORDER)
    throw invalid('sortOrder', 'out_of_range', 'sortOrder must be 0 or more.');
  requirePayable('amount', { amount, currency });
  return { ...details, amount: Money.of(amount, currency).amount };
}
