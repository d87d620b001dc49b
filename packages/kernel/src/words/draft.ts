// What a draft may say beside its types (public-api.md §4).

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
