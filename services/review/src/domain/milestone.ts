import {
  follow,
  type CalendarDate,
  type Instant,
  type StateMachine,
  type PaymentStatus,
  type MilestoneStatus,
} from '@payroll/kernel';
import type { MoneyValue } from './money-value.js';
import type { Version } from './version.js';

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

/** A milestone as its readers see it. */
export interface Milestone {
  id: string;
  contractId: string;
  title: string;
  description: string | null;
  status: MilestoneStatus;
  amount: MoneyValue;
  dueDate: CalendarDate | null;
  /** The UTC day of its approval, which is when paying is attempted. */
  paymentDate: CalendarDate | null;
  /** Null unless it is rejected. */
  rejectionReason: string | null;
  paymentId: string | null;
  sortOrder: number;
  createdAt: Instant;
  updatedAt: Instant;
  version: Version;
}
