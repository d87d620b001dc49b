export { components } from './components.js';
export {
  IDEMPOTENCY_KEY_PATTERN,
  isIdempotencyKey,
  operations,
  type ApiOperation,
  type OperationName,
} from './operations.js';
export { explain, joinFirst, describeSchema, below, distinct } from './reading/problems.js';
export { readJson, readValue } from './reading/json.js';
export { createParameterReader, createReader, type Reading } from './reading/reader.js';
export { ContractDraft, draftBasics } from './shapes/contract-draft.js';
export { ContractDetail, Milestone, Payment, Rejection, Timesheet } from './shapes/resources.js';
export { ErrorBody, type ErrorType } from './shapes/error-body.js';
export {
  contractFilters,
  milestoneFilters,
  pageSchema,
  pageQuery,
  paymentFilters,
  timesheetFilters,
  NoQuery,
} from './shapes/page.js';
export { BODY_LIMIT_BYTES, Id, type Keywords } from './shapes/scalars.js';
export { createSerializer } from './writer.js';
