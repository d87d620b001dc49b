// Where work, its payment and the business that pays are (public-api.md §3).

export const TIMESHEET_STATUSES = ['submitted', 'approved', 'rejected'] as const;
export type TimesheetStatus = (typeof TIMESHEET_STATUSES)[number];

/** `completed` is a milestone whose payout is under way, `paid` one whose payout has arrived. */
export const MILESTONE_STATUSES = ['pending', 'submitted', 'approved', 'completed', 'paid', 'rejected'] as const;
export type MilestoneStatus = (typeof MILESTONE_STATUSES)[number];

export const PAYMENT_STATUSES = ['pending', 'processing', 'completed', 'failed', 'cancelled'] as const;
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

/** What a payment is for. */
export const PAYMENT_SOURCES = ['timesheet', 'milestone'] as const;
export type PaymentSource = (typeof PAYMENT_SOURCES)[number];

/** Why a payment failed. Closed: a caller can act on each. */
export const FAILURE_REASONS = [
  'amount_unpayable',
  'payee_missing',
  'payee_unverified',
  'business_unverified',
  'insufficient_funds',
  'provider_declined',
] as const;
export type FailureReason = (typeof FAILURE_REASONS)[number];

/** How far the verification of a business has come. */
export const KYB_STATUSES = ['not_started', 'pending', 'verified', 'rejected'] as const;
export type KybStatus = (typeof KYB_STATUSES)[number];
