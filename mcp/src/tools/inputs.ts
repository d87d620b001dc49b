import {
  contractFilters,
  draftBasics,
  Id,
  milestoneFilters,
  pageQuery,
  paymentFilters,
  Rejection,
  timesheetFilters,
} from '@payroll/public-api';
import { Type } from 'typebox';

/** Pages are smaller than over HTTP (50): every item costs the model's attention (public-api.md §8). */
const PAGE_SIZE = 25;

/** Names the write: the model makes it up once per intent, and sends it again with a retry of the same intent. */
const intentId = Type.String({
  minLength: 16,
  maxLength: 128,
  pattern: '^[A-Za-z0-9_-]+$',
  description:
    'A new random string for each new intent, such as a UUID. Send the same one again only to retry exactly the same call: it happens once.',
});
const id = Id;
const closed = { additionalProperties: false };

// The arguments of the tools, from the shapes of `/v1` (public-api.md §4, MCP tools).
export const NoArguments = Type.Object({}, closed);
export const ById = Type.Object({ id }, closed);
export const ContractList = pageQuery(contractFilters, PAGE_SIZE);
export const TimesheetList = pageQuery(timesheetFilters, PAGE_SIZE);
export const MilestoneList = pageQuery({ contractId: Id, ...milestoneFilters }, PAGE_SIZE);
export const PaymentList = pageQuery(paymentFilters, PAGE_SIZE);
export const Draft = Type.Object({ ...draftBasics, intentId }, closed);
export const ApprovalOfOne = Type.Object({ id, intentId }, closed);
export const RejectionOfOne = Type.Object({ id, intentId, reason: Rejection.properties.reason }, closed);
