import { Balances } from './shapes/balances.js';
import { Business } from './shapes/business.js';
import { ContractDraft } from './shapes/contract-draft.js';
import {
  ContractDetail,
  ContractSummary,
  Creator,
  CreatorDeliverable,
  CreatorTerms,
  Worker,
} from './shapes/contract.js';
import { Benefits, Compensation, InvoicingSettings } from './shapes/draft-terms.js';
import { DraftCreatorTerms, DraftDeliverable, DraftMilestone } from './shapes/draft-work.js';
import { ErrorBody, ErrorDetail } from './shapes/error-body.js';
import { Milestone } from './shapes/milestone.js';
import { pageOf } from './shapes/page.js';
import { Payment } from './shapes/payment.js';
import { Approval, Rejection } from './shapes/review.js';
import { Money } from './shapes/scalars.js';
import { Timesheet } from './shapes/timesheet.js';

/** Shapes by the names that integrators know them by: in the OpenAPI document, and so in generated clients. */
export const components = {
  ContractSummary,
  ContractDetail,
  ContractList: pageOf(ContractSummary),
  Worker,
  Creator,
  CreatorTerms,
  CreatorDeliverable,
  ContractDraft,
  Compensation,
  InvoicingSettings,
  Benefits,
  DraftMilestone,
  DraftCreatorTerms,
  DraftDeliverable,
  Timesheet,
  TimesheetList: pageOf(Timesheet),
  Milestone,
  MilestoneList: pageOf(Milestone),
  Approval,
  Rejection,
  Payment,
  PaymentList: pageOf(Payment),
  Balances,
  Business,
  Money,
  ErrorBody,
  ErrorDetail,
} as const;
