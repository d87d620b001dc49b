export { components } from './components.js';
export { IDEMPOTENCY_KEY_PATTERN, isIdempotencyKey } from './idempotency-key.js';
export { operations, type Operation, type OperationName } from './operations.js';
export { draftRules } from './reading/draft-rules.js';
export { explain, MOST_EXPLAINED } from './reading/explain.js';
export { readJson, readValue, type JsonReading } from './reading/json.js';
export { createParameterReader } from './reading/parameters.js';
export { createReader, type Reading, type Rules } from './reading/reader.js';
export { Balances } from './shapes/balances.js';
export { Business } from './shapes/business.js';
export { ContractDraft, draftBasics } from './shapes/contract-draft.js';
export { ContractDetail, ContractSummary } from './shapes/contract.js';
export { ErrorBody, type ErrorType } from './shapes/error-body.js';
export { BODY_LIMIT_BYTES } from './shapes/limits.js';
export { Milestone } from './shapes/milestone.js';
export {
  contractFilters,
  milestoneFilters,
  pageOf,
  pageQuery,
  paymentFilters,
  timesheetFilters,
  NoQuery,
  type ContractListQuery,
  type MilestoneListQuery,
  type PaymentListQuery,
  type TimesheetListQuery,
} from './shapes/page.js';
export { Payment } from './shapes/payment.js';
export { Approval, Rejection } from './shapes/review.js';
export { Id, Money } from './shapes/scalars.js';
export { Timesheet } from './shapes/timesheet.js';
export { createWriter } from './writing/writer.js';
