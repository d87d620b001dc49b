// What a contract is and where it is in its life (public-api.md §2, §3).

export const CONTRACT_STATUSES = [
  'draft',
  'pending_verification',
  'ready_for_signature',
  'pending_signature',
  'signed',
  'active',
  'offboarding',
  'completed',
  'cancelled',
] as const;
export type ContractStatus = (typeof CONTRACT_STATUSES)[number];

export const EMPLOYMENT_TYPES = ['employee', 'contractor'] as const;
export type EmploymentType = (typeof EMPLOYMENT_TYPES)[number];

export const CONTRACT_TYPES = [
  'employment_at_will',
  'contractor_fixed',
  'contractor_milestone',
  'contractor_payg',
  'contractor_creator',
] as const;
export type ContractType = (typeof CONTRACT_TYPES)[number];

/** The employment type implied by each contract type; an explicit one must agree (public-api.md §4). */
export const EMPLOYMENT_TYPE_OF: Readonly<Record<ContractType, EmploymentType>> = {
  employment_at_will: 'employee',
  contractor_fixed: 'contractor',
  contractor_milestone: 'contractor',
  contractor_payg: 'contractor',
  contractor_creator: 'contractor',
};

// The rest of a draft (public-api.md §4): `contract-draft.ts` says where.

export const DEPARTMENTS = [
  'business_development',
  'customer_support',
  'data',
  'design',
  'engineering',
  'finance',
  'hr',
  'it',
  'legal',
  'marketing',
  'operations',
  'product',
  'sales',
  'other',
] as const;

export const SENIORITIES = [
  'intern',
  'lv1',
  'lv2',
  'lv3',
  'lv4',
  'lv5',
  'lead',
  'manager',
  'director',
  'vp',
  'c_level',
] as const;

export const EMPLOYMENT_SUBTYPES = ['full_time', 'part_time'] as const;

export const DISPUTE_RESOLUTION_METHODS = ['arbitration', 'court'] as const;

export const COMPENSATION_TYPES = ['hourly', 'salary', 'milestone', 'retainer', 'per_task'] as const;

export const FREQUENCIES = ['daily', 'weekly', 'biweekly', 'monthly'] as const;

export const SALARY_UNITS = ['per_hour', 'per_week', 'per_month', 'per_year'] as const;

export const PAYMENT_METHODS = ['bank_transfer', 'wise', 'payoneer', 'usdc_wallet', 'other'] as const;
export type PaymentMethod = (typeof PAYMENT_METHODS)[number];

export const FIRST_PAYMENT_METHODS = ['full_amount', 'pro_rata'] as const;

export const TIMESHEET_SUBMITTERS = ['client', 'contractor'] as const;

export const BENEFIT_FREQUENCIES = ['monthly', 'quarterly', 'annual'] as const;

// The terms between creators and businesses (public-api.md §2).

export const EXCLUSIVITIES = ['none', 'ongoing', 'fixed_term'] as const;

export const IP_OWNERSHIPS = ['creator', 'business'] as const;

export const CREATOR_PLATFORMS = ['youtube', 'tiktok', 'instagram', 'facebook', 'x', 'other'] as const;

export const CREATOR_FORMATS = ['video', 'post', 'reel', 'story', 'other'] as const;

// Where work, its payment and the business that pays are (public-api.md §3).

export const TIMESHEET_STATUSES = ['submitted', 'approved', 'rejected'] as const;
export type TimesheetStatus = (typeof TIMESHEET_STATUSES)[number];

/** `completed` is a milestone whose payout is under way, `paid` one whose payout has arrived. */
export const MILESTONE_STATUSES = ['pending', 'submitted', 'approved', 'completed', 'paid', 'rejected'] as const;
export type MilestoneStatus = (typeof MILESTONE_STATUSES)[number];

export const PAYMENT_STATUSES = ['pending', 'processing', 'completed', 'failed', 'cancelled'] as const;
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

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

export const KYB_STATUSES = ['not_started', 'pending', 'verified', 'rejected'] as const;
export type KybStatus = (typeof KYB_STATUSES)[number];
