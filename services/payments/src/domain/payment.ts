import type { CalendarDate, Instant, StateMachine } from '@payroll/kernel';

export const PAYMENT_STATUSES = ['pending', 'processing', 'completed', 'failed', 'cancelled'] as const;
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

export type PaymentEdge = 'process' | 'complete' | 'fail' | 'cancel' | 'retry';

export const paymentMachine: StateMachine<PaymentStatus, PaymentEdge> = {
  pending: { process: 'processing', cancel: 'cancelled' },
  processing: { complete: 'completed', fail: 'failed' },
  completed: {},
  failed: { retry: 'pending' },
  cancelled: {},
};

/** What a payment is for. */
export const PAYMENT_SOURCES = ['timesheet', 'milestone'] as const;
export type PaymentSource = (typeof PAYMENT_SOURCES)[number];

/** A payment as its readers see it. Approved work is not paid work: `status` says how far it is. */
export interface Payment {
  id: string;
  contractId: string;
  timesheetId: string | null;
  milestoneId: string | null;
  status: PaymentStatus;
  grossAmount: { amount: string; currency: string };
  netAmount: { amount: string; currency: string };
  scheduledDate: CalendarDate | null;
  processedAt: Instant | null;
  completedAt: Instant | null;
  failureReason: string | null;
  createdAt: Instant;
  updatedAt: Instant;
}
