import { Balances } from './shapes/balances.js';
import { Business, KybStatus } from './shapes/business.js';
import { ContractDraft } from './shapes/contract-draft.js';
import {
  ContractDetail,
  ContractStatus,
  ContractSummary,
  ContractType,
  Creator,
  CreatorDeliverable,
  CreatorFormat,
  CreatorPlatform,
  CreatorTerms,
  EmploymentType,
  Exclusivity,
  IpOwnership,
  Worker,
} from './shapes/contract.js';
import { BenefitFrequency, Benefits, Compensation, Frequency, InvoicingSettings } from './shapes/draft-terms.js';
import { DraftCreatorTerms, DraftDeliverable, DraftMilestone } from './shapes/draft-work.js';
import { ErrorBody, ErrorCode, ErrorDetail } from './shapes/error-body.js';
import { Milestone, MilestoneStatus } from './shapes/milestone.js';
import { pageOf } from './shapes/page.js';
import { Payment, PaymentFailureReason, PaymentStatus } from './shapes/payment.js';
import { Approval, Rejection } from './shapes/review.js';
import { Money } from './shapes/scalars.js';
import { Timesheet, TimesheetStatus } from './shapes/timesheet.js';

/** Shapes by the names that integrators know them by: in the OpenAPI document, and so in generated clients. */
export const components = {
  ContractSummary,
  ContractDetail,
  ContractList: pageOf(ContractSummary),
  ContractStatus,
  EmploymentType,
  ContractType,
  Worker,
  Creator,
  CreatorTerms,
  CreatorDeliverable,
  Exclusivity,
  IpOwnership,
  CreatorPlatform,
  CreatorFormat,
  ContractDraft,
  Compensation,
  InvoicingSettings,
  Benefits,
  Frequency,
  BenefitFrequency,
  DraftMilestone,
  DraftCreatorTerms,
  DraftDeliverable,
  Timesheet,
  TimesheetList: pageOf(Timesheet),
  TimesheetStatus,
  Milestone,
  MilestoneList: pageOf(Milestone),
  MilestoneStatus,
  Approval,
  Rejection,
  Payment,
  PaymentList: pageOf(Payment),
  PaymentStatus,
  PaymentFailureReason,
  Balances,
  Business,
  KybStatus,
  Money,
  ErrorBody,
  ErrorCode,
  ErrorDetail,
} as const;
