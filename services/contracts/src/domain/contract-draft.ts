import type {
  BenefitFrequency,
  CalendarDate,
  CompensationType,
  ContractType,
  CreatorFormat,
  CreatorPlatform,
  Department,
  DisputeResolutionMethod,
  EmploymentSubtype,
  EmploymentType,
  Exclusivity,
  FirstPaymentMethod,
  Frequency,
  IpOwnership,
  PaymentMethod,
  SalaryUnit,
  Seniority,
  TimesheetSubmitter,
} from '@payroll/kernel';

/** What is paid for the work. */
export interface Compensation {
  type: CompensationType;
  currency?: string | null | undefined;
  rate?: string | null | undefined;
  annualSalary?: string | null | undefined;
  paymentFrequency?: Frequency | null | undefined;
  retainerAmount?: string | null | undefined;
  salaryUnit?: SalaryUnit | null | undefined;
  signingBonus?: string | null | undefined;
  probationPeriodDays?: number | null | undefined;
  effectiveDate?: CalendarDate | null | undefined;
}

/** How work is invoiced and paid. */
export interface InvoicingSettings {
  paymentMethod?: PaymentMethod | null | undefined;
  invoiceFrequency?: Frequency | null | undefined;
  cycleClosesOn?: string | null | undefined;
  paymentDueDays?: number | null | undefined;
  firstPaymentMethod?: FirstPaymentMethod | null | undefined;
  firstPaymentAmount?: string | null | undefined;
  firstPaymentDate?: CalendarDate | null | undefined;
  timesheetSubmitter?: TimesheetSubmitter | null | undefined;
  timesheetApprovalRequired?: boolean | null | undefined;
  autoApproveAfterDays?: number | null | undefined;
  autoPayEnabled?: boolean | null | undefined;
}

/** What comes on top of the compensation. */
export interface Benefits {
  bonusAmount?: string | null | undefined;
  bonusFrequency?: BenefitFrequency | null | undefined;
  allowanceAmount?: string | null | undefined;
  allowanceFrequency?: BenefitFrequency | null | undefined;
  commissionPercentage?: string | null | undefined;
  commissionFrequency?: BenefitFrequency | null | undefined;
  timeOffDays?: number | null | undefined;
}

/** A milestone agreed with the draft. */
export interface DraftMilestone {
  title: string;
  description?: string | null | undefined;
  amount: string;
  dueDate?: CalendarDate | null | undefined;
  sortOrder?: number | null | undefined;
  documentIds?: string[] | null | undefined;
}

/** What a creator and the business agree on. */
export interface CreatorTerms {
  exclusivity: Exclusivity;
  exclusivityEndDate?: CalendarDate | null | undefined;
  ipOwnership: IpOwnership;
  usageNote?: string | null | undefined;
}

/** A piece of content a creator delivers. */
export interface DraftDeliverable {
  platform: CreatorPlatform;
  format: CreatorFormat;
  brief: string;
  dueDate?: CalendarDate | null | undefined;
  amount: string;
  sortOrder?: number | null | undefined;
}

/** The payload of a draft (public-api.md §4). Amounts and percentages are decimal strings. */
export interface ContractDraft {
  title: string;
  professionalEmail?: string | null | undefined;
  description?: string | null | undefined;
  employmentType?: EmploymentType | null | undefined;
  contractType?: ContractType | null | undefined;
  countryOfEmployment?: string | null | undefined;
  startDate?: CalendarDate | null | undefined;
  endDate?: CalendarDate | null | undefined;
  terminationDate?: CalendarDate | null | undefined;
  noticePeriodDays?: number | null | undefined;
  department?: Department | null | undefined;
  seniority?: Seniority | null | undefined;
  employmentSubtype?: EmploymentSubtype | null | undefined;
  specialClauses?: string | null | undefined;
  serviceTypes?: string[] | null | undefined;
  skills?: string[] | null | undefined;
  tools?: string[] | null | undefined;
  disputeResolutionMethod?: DisputeResolutionMethod | null | undefined;
  governingCountry?: string | null | undefined;
  governingStateProvince?: string | null | undefined;
  workSchedule?: string | null | undefined;
  externalReference?: string | null | undefined;
  compensation?: Compensation | null | undefined;
  invoicingSettings?: InvoicingSettings | null | undefined;
  benefits?: Benefits | null | undefined;
  milestones?: DraftMilestone[] | null | undefined;
  creatorTerms?: CreatorTerms | null | undefined;
  creatorDeliverables?: DraftDeliverable[] | null | undefined;
}

/** A milestone with the id under which it is review's. */
export interface AgreedMilestone extends DraftMilestone {
  id: string;
  /** How often it was agreed anew: review takes over what is newer than what it has. */
  agreement?: number;
}

/** What changes of an agreed milestone. What is not given stays, null clears what need not be. */
export type MilestoneCorrection = Pick<AgreedMilestone, 'id'> & {
  [Name in keyof DraftMilestone]?: DraftMilestone[Name] | null | undefined;
};

/** A draft as it is kept: its milestones have ids, the defaults of its schema are filled in. */
export interface KeptDraft extends ContractDraft {
  milestones: AgreedMilestone[];
}

/**
 * What the application fills in or corrects. What is not given stays, null clears, objects and lists are replaced whole.
 * Milestones stay the same ones for review: they are corrected, and more can join them. The reference belongs to who made
 * the draft.
 */
export interface DraftChanges extends Omit<ContractDraft, 'title' | 'milestones' | 'externalReference'> {
  title?: string | null | undefined;
  correctedMilestones?: MilestoneCorrection[] | null | undefined;
  furtherMilestones?: DraftMilestone[] | null | undefined;
}
