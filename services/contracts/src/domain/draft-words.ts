// The closed words of a draft (public-api.md §4): the same in table, GraphQL and wire.

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
export type Department = (typeof DEPARTMENTS)[number];

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
export type Seniority = (typeof SENIORITIES)[number];

export const EMPLOYMENT_SUBTYPES = ['full_time', 'part_time'] as const;
export type EmploymentSubtype = (typeof EMPLOYMENT_SUBTYPES)[number];

export const DISPUTE_RESOLUTION_METHODS = ['arbitration', 'court'] as const;
export type DisputeResolutionMethod = (typeof DISPUTE_RESOLUTION_METHODS)[number];

export const COMPENSATION_TYPES = ['hourly', 'salary', 'milestone', 'retainer', 'per_task'] as const;
export type CompensationType = (typeof COMPENSATION_TYPES)[number];

export const FREQUENCIES = ['daily', 'weekly', 'biweekly', 'monthly'] as const;
export type Frequency = (typeof FREQUENCIES)[number];

export const SALARY_UNITS = ['per_hour', 'per_week', 'per_month', 'per_year'] as const;
export type SalaryUnit = (typeof SALARY_UNITS)[number];

export const PAYMENT_METHODS = ['bank_transfer', 'wise', 'payoneer', 'usdc_wallet', 'other'] as const;
export type PaymentMethod = (typeof PAYMENT_METHODS)[number];

export const FIRST_PAYMENT_METHODS = ['full_amount', 'pro_rata'] as const;
export type FirstPaymentMethod = (typeof FIRST_PAYMENT_METHODS)[number];

export const TIMESHEET_SUBMITTERS = ['client', 'contractor'] as const;
export type TimesheetSubmitter = (typeof TIMESHEET_SUBMITTERS)[number];

export const BENEFIT_FREQUENCIES = ['monthly', 'quarterly', 'annual'] as const;
export type BenefitFrequency = (typeof BENEFIT_FREQUENCIES)[number];

export const EXCLUSIVITIES = ['none', 'ongoing', 'fixed_term'] as const;
export type Exclusivity = (typeof EXCLUSIVITIES)[number];

export const IP_OWNERSHIPS = ['creator', 'business'] as const;
export type IpOwnership = (typeof IP_OWNERSHIPS)[number];

export const CREATOR_PLATFORMS = ['youtube', 'tiktok', 'instagram', 'facebook', 'x', 'other'] as const;
export type CreatorPlatform = (typeof CREATOR_PLATFORMS)[number];

export const CREATOR_FORMATS = ['video', 'post', 'reel', 'story', 'other'] as const;
export type CreatorFormat = (typeof CREATOR_FORMATS)[number];
