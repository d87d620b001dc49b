// The closed lists of words of the public contract (public-api.md §2–§4).

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
export const TIMESHEET_STATUSES = ['submitted', 'approved', 'rejected'] as const;
export const MILESTONE_STATUSES = ['pending', 'submitted', 'approved', 'completed', 'paid', 'rejected'] as const;
export const PAYMENT_STATUSES = ['pending', 'processing', 'completed', 'failed', 'cancelled'] as const;
export const KYB_STATUSES = ['not_started', 'pending', 'verified', 'rejected'] as const;

export const EMPLOYMENT_TYPES = ['employee', 'contractor'] as const;
export const CONTRACT_TYPES = [
  'employment_at_will',
  'contractor_fixed',
  'contractor_milestone',
  'contractor_payg',
  'contractor_creator',
] as const;
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
export const FIRST_PAYMENT_METHODS = ['full_amount', 'pro_rata'] as const;
export const TIMESHEET_SUBMITTERS = ['client', 'contractor'] as const;
export const BENEFIT_FREQUENCIES = ['monthly', 'quarterly', 'annual'] as const;

export const EXCLUSIVITIES = ['none', 'ongoing', 'fixed_term'] as const;
export const IP_OWNERSHIPS = ['creator', 'business'] as const;
export const CREATOR_PLATFORMS = ['youtube', 'tiktok', 'instagram', 'facebook', 'x', 'other'] as const;
export const CREATOR_FORMATS = ['video', 'post', 'reel', 'story', 'other'] as const;
