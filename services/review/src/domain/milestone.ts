import {
  follow,
  isPositiveDecimal,
  Money,
  type CalendarDate,
  type MilestoneStatus,
  type PaymentStatus,
  type StateMachine,
} from '@payroll/kernel';
import { invalid, requirePayable, requireText } from './work.js';

export type MilestoneEdge =
  | 'change'
  | 'submit'
  | 'approve'
  | 'reject'
  | 'resubmit'
  | 'start payout'
  | 'return payout'
  | 'settle';

/** `completed` is a milestone whose payout is under way, `paid` one whose payout has arrived. */
const milestoneMachine: StateMachine<MilestoneStatus, MilestoneEdge> = {
  pending: { change: 'pending', submit: 'submitted' },
  submitted: { approve: 'approved', reject: 'rejected' },
  approved: { 'start payout': 'completed', settle: 'paid' },
  completed: { settle: 'paid', 'return payout': 'approved' },
  paid: {},
  rejected: { change: 'rejected', resubmit: 'submitted' },
};

export function followMilestone(from: MilestoneStatus, edge: MilestoneEdge): MilestoneStatus {
  return follow(milestoneMachine, 'milestone', from, edge);
}

const EDGE_OF_PAYMENT: Readonly<Record<PaymentStatus, MilestoneEdge>> = {
  pending: 'return payout',
  processing: 'start payout',
  completed: 'settle',
  failed: 'return payout',
  cancelled: 'return payout',
};

/** Where the payment's news leads. News of which it has no edge change nothing: a failure before the payout began. */
export function milestoneAfterPayment(from: MilestoneStatus, payment: PaymentStatus): MilestoneStatus {
  return milestoneMachine[from][EDGE_OF_PAYMENT[payment]] ?? from;
}

/** What is agreed about a milestone, in the bounds of public-api.md §4. */
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

/** What is not given stays as it was; what may be null is cleared by null. */
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

/** The amount in its one spelling. @throws DomainError `VALIDATION_FAILED` */
export function readDetails(details: MilestoneDetails, currency: string): MilestoneDetails {
  const { title, description, amount, sortOrder } = details;
  requireText('title', title, 1, 200);
  if (description !== null) requireText('description', description, 0, 10_000);
  if (!isPositiveDecimal(amount)) throw invalid('amount', 'not_positive', 'amount is above zero.');
  if (sortOrder < 0 || sortOrder > MAX_SORT_ORDER)
    throw invalid('sortOrder', 'out_of_range', 'sortOrder is 0 or more.');
  requirePayable('amount', { amount, currency });
  return { ...details, amount: Money.of(amount, currency).amount };
}
