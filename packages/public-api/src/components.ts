import * as contract from './shapes/contract.js';
import * as draft from './shapes/contract-draft.js';
import * as error from './shapes/error-body.js';
import * as resource from './shapes/resources.js';
import { pageSchema } from './shapes/page.js';
import { Money } from './shapes/scalars.js';

/** Shapes by the names that integrators know them by: in the OpenAPI document, and so in generated clients. */
export const components = {
  ContractSummary: contract.ContractSummary,
  ContractDetail: contract.ContractDetail,
  ContractList: pageSchema(contract.ContractSummary),
  ContractStatus: contract.ContractStatus,
  EmploymentType: contract.EmploymentType,
  ContractType: contract.ContractType,
  Worker: contract.Worker,
  Creator: contract.Creator,
  CreatorTerms: contract.CreatorTerms,
  CreatorDeliverable: contract.CreatorDeliverable,
  Exclusivity: contract.Exclusivity,
  IpOwnership: contract.IpOwnership,
  CreatorPlatform: contract.CreatorPlatform,
  CreatorFormat: contract.CreatorFormat,
  ContractDraft: draft.ContractDraft,
  Compensation: draft.Compensation,
  InvoicingSettings: draft.InvoicingSettings,
  Benefits: draft.Benefits,
  Frequency: draft.Frequency,
  BenefitFrequency: draft.BenefitFrequency,
  DraftMilestone: draft.DraftMilestone,
  DraftCreatorTerms: draft.DraftCreatorTerms,
  DraftDeliverable: draft.DraftDeliverable,
  Timesheet: resource.Timesheet,
  TimesheetList: pageSchema(resource.Timesheet),
  TimesheetStatus: resource.TimesheetStatus,
  Milestone: resource.Milestone,
  MilestoneList: pageSchema(resource.Milestone),
  MilestoneStatus: resource.MilestoneStatus,
  Approval: resource.Approval,
  Rejection: resource.Rejection,
  Payment: resource.Payment,
  PaymentList: pageSchema(resource.Payment),
  PaymentStatus: resource.PaymentStatus,
  PaymentFailureReason: resource.PaymentFailureReason,
  Balances: resource.Balances,
  Business: resource.Business,
  KybStatus: resource.KybStatus,
  Money,
  ErrorBody: error.ErrorBody,
  ErrorCode: error.ErrorCode,
  ErrorDetail: error.ErrorDetail,
} as const;
