import {
  CONTRACT_STATUSES,
  CONTRACT_TYPES,
  EMPLOYMENT_TYPES,
  MAX_ROWS,
  FAILURE_REASONS,
  KYB_STATUSES,
  MILESTONE_STATUSES,
  PAYMENT_STATUSES,
  TIMESHEET_STATUSES,
} from '@payroll/kernel';
import { Type, type Static } from 'typebox';
import { DraftCreatorTerms, DraftDeliverable } from './contract-draft.js';
import {
  strictObject,
  count,
  Day,
  Id,
  Money,
  withDescription,
  nullable,
  nullableText,
  oneOf,
  text,
  Timestamp,
  trimmedText,
} from './scalars.js';

export const ContractStatus = oneOf(CONTRACT_STATUSES, {
  description: 'Where a contract is in its life. The API creates drafts; all else happens in the application.',
});
export const EmploymentType = oneOf(EMPLOYMENT_TYPES, { description: 'What the worker is to the business.' });
export const ContractType = oneOf(CONTRACT_TYPES, {
  description: 'How the work is paid. `employment_at_will` is for employees, all others are for contractors.',
});
// An answer has the words of the draft.
export const { exclusivity: Exclusivity, ipOwnership: IpOwnership } = DraftCreatorTerms.properties;
export const { platform: CreatorPlatform, format: CreatorFormat } = DraftDeliverable.properties;

export const Worker = strictObject('Who works under the contract. Both are null until someone is named.', {
  id: nullable(Id, { description: 'The id of the worker.' }),
  name: nullableText({ maxLength: 200, description: 'The name of the worker.' }),
});

const summaryFields = {
  id: withDescription(Id, 'The id of the contract.'),
  title: text({ maxLength: 200, description: 'What the contract is called.' }),
  employmentType: EmploymentType,
  contractType: ContractType,
  status: ContractStatus,
  worker: Worker,
  startDate: nullable(Day, { description: 'First day of the contract.' }),
  endDate: nullable(Day, { description: 'Last day of the contract; null when it has no end.' }),
  createdAt: withDescription(Timestamp, 'When it was created.'),
  updatedAt: withDescription(Timestamp, 'Moves with every visible change, deletion included.'),
  deletedAt: nullable(Timestamp, { description: 'Set for a deleted contract, whose tombstone this is.' }),
};

export const CreatorTerms = strictObject('The terms of a creator contract.', {
  exclusivity: Exclusivity,
  exclusivityEndDate: nullable(Day, { description: 'Last day of a `fixed_term` exclusivity.' }),
  ipOwnership: IpOwnership,
  usageNote: nullableText({ maxLength: 2000, description: 'How the content may be used.' }),
});

export const CreatorDeliverable = strictObject('A piece of content that a creator delivers.', {
  id: withDescription(Id, 'The id of the deliverable.'),
  platform: CreatorPlatform,
  format: CreatorFormat,
  brief: text({ maxLength: 2000, description: 'What is to be made.' }),
  dueDate: nullable(Day, { description: 'When it is agreed to be delivered.' }),
  amount: withDescription(Money, 'What it pays.'),
  sortOrder: count(0, { description: 'Its place among the deliverables.' }),
});

export const Creator = strictObject('What a creator and the business agree on.', {
  terms: nullable(CreatorTerms, { description: 'Null when none were sent.' }),
  deliverables: Type.Array(CreatorDeliverable, {
    maxItems: MAX_ROWS,
    description: 'By `sortOrder`, then as sent.',
  }),
});

/** The result of create and list (public-api.md §2). */
export const ContractSummary = strictObject('An agreement with a worker, from its draft to its end.', summaryFields);

/** The result of get (public-api.md §2). */
export const ContractDetail = strictObject('A contract with its creator part.', {
  ...summaryFields,
  creator: nullable(Creator, {
    description: 'For contracts of the type `contractor_creator`, and where creator data was sent; otherwise null.',
  }),
});
export type ContractDetail = Static<typeof ContractDetail>;

/** The version that a reviewer has read, sent as `expectedVersion` (public-api.md §2). */
const Version = text({
  minLength: 1,
  maxLength: 128,
  description: 'Stands for all that a reviewer sees; changes with it. Opaque: compare it, and nothing else.',
});

export const TimesheetStatus = oneOf(TIMESHEET_STATUSES, { description: 'Where a timesheet is in its review.' });

/** public-api.md §2. */
export const Timesheet = strictObject('Work of a period, handed in for review.', {
  id: withDescription(Id, 'The id of the timesheet.'),
  contractId: withDescription(Id, 'The contract whose work this is.'),
  status: TimesheetStatus,
  periodStart: withDescription(Day, 'First day of the work.'),
  periodEnd: withDescription(Day, 'Last day of the work.'),
  unitsWorked: text({
    maxLength: 40,
    pattern: String.raw`^(0|[1-9]\d*)(\.\d+)?$`,
    description: 'Hours, days or pieces, as the rate is per: a decimal number as text.',
  }),
  rate: withDescription(Money, 'Per unit worked.'),
  total: withDescription(Money, 'Rate × units, rounded half-even to the smallest unit of the currency.'),
  paymentScheduledDate: withDescription(Day, 'The day on which the payment of an approval is due (UTC).'),
  autoPayEnabled: Type.Boolean({
    description: 'Whether the payment is processed by itself on that day: the setting that is in effect.',
  }),
  paymentId: nullable(Id, { description: 'Set once approval has created a payment.' }),
  createdAt: withDescription(Timestamp, 'When it was created.'),
  updatedAt: withDescription(Timestamp, 'Moves with every visible change.'),
  version: Version,
});
export type Timesheet = Static<typeof Timesheet>;

export const MilestoneStatus = oneOf(MILESTONE_STATUSES, {
  description: 'Where a milestone is: `completed` while its payout is under way, `paid` once that has arrived.',
});

/** A piece of work agreed on as a whole, for a fixed amount (public-api.md §2). */
export const Milestone = strictObject('A piece of work agreed on as a whole, for a fixed amount.', {
  id: withDescription(Id, 'The id of the milestone.'),
  contractId: withDescription(Id, 'The contract whose work this is.'),
  title: text({ maxLength: 200, description: 'What the milestone is called.' }),
  description: nullableText({ maxLength: 10_000, description: 'What is to be done.' }),
  status: MilestoneStatus,
  amount: withDescription(Money, 'What its approval pays.'),
  dueDate: nullable(Day, { description: 'When it is agreed to be done.' }),
  paymentDate: nullable(Day, { description: 'The day of its approval (UTC), when paying is attempted.' }),
  paymentId: nullable(Id, { description: 'Set once approval has created a payment.' }),
  createdAt: withDescription(Timestamp, 'When it was created.'),
  updatedAt: withDescription(Timestamp, 'Moves with every visible change.'),
  version: Version,
});
export type Milestone = Static<typeof Milestone>;

const expectedVersion = text({
  minLength: 1,
  maxLength: 128,
  description: 'The `version` of the resource as it was last fetched and reviewed.',
});

/** Body of the approvals: the version that was reviewed (public-api.md §4). */
export const Approval = strictObject('Which version was reviewed.', { expectedVersion });

/** Body of the rejections. The reason counts without the white space around it. */
export const Rejection = strictObject('Which version was reviewed, and why it is rejected.', {
  expectedVersion,
  reason: trimmedText(2000, { description: 'Why. White space at both ends is cut off, and does not count.' }),
});

export const PaymentStatus = oneOf(PAYMENT_STATUSES, {
  description: 'How far a payment is. `completed`, and nothing else, means that the worker was paid.',
});

export const PaymentFailureReason = oneOf(FAILURE_REASONS, {
  description: 'Why a payment failed. `amount_unpayable`: its currency cannot express the amount, or is none.',
});

/** Created by an approval. `completed` here, and only here, means that the worker was paid (public-api.md §1). */
export const Payment = strictObject('Money owed for approved work. Approved work is not paid work.', {
  id: withDescription(Id, 'The id of the payment.'),
  contractId: withDescription(Id, 'The contract whose work it pays.'),
  timesheetId: nullable(Id, { description: 'The timesheet it pays, if it pays one.' }),
  milestoneId: nullable(Id, { description: 'The milestone it pays, if it pays one.' }),
  status: PaymentStatus,
  grossAmount: withDescription(Money, 'What was approved.'),
  netAmount: withDescription(Money, 'What the worker gets after deductions.'),
  scheduledDate: nullable(Day, { description: 'The day it is due (UTC); null when it is due at once.' }),
  processedAt: nullable(Timestamp, { description: 'When its processing began, the last time it did.' }),
  completedAt: nullable(Timestamp, { description: 'When it arrived.' }),
  failureReason: nullable(PaymentFailureReason, { description: 'Of a failed payment.' }),
  createdAt: withDescription(Timestamp, 'When it was created.'),
  updatedAt: withDescription(Timestamp, 'Moves with every visible change.'),
});

/** As many as there are currency codes: three or four capital letters. */
const MAX_CURRENCIES = 26 ** 3 + 26 ** 4;

const ofEachCurrency = (description: string) => Type.Array(Money, { maxItems: MAX_CURRENCIES, description });

/** The available and the in-flight amount in each currency (public-api.md §2). */
export const Balances = strictObject('What the workspace can spend, and what is on its way.', {
  available: ofEachCurrency('What can be spent, one amount for each currency.'),
  pending: ofEachCurrency('The net of payments that are pending or processing, one amount for each currency.'),
  asOf: withDescription(Timestamp, 'The moment at which both were read.'),
});

export const KybStatus = oneOf(KYB_STATUSES, {
  description: 'How far the verification of the business has come. Money is paid out for verified businesses only.',
});

/** The workspace that the credential belongs to (public-api.md §2). */
export const Business = strictObject('The workspace that the credential belongs to.', {
  id: withDescription(Id, 'The id of the business.'),
  name: text({ maxLength: 200, description: 'What the business is called.' }),
  country: text({ pattern: '^[A-Z]{2}$', maxLength: 2, description: 'ISO 3166-1 alpha-2.' }),
  kybStatus: KybStatus,
  createdAt: withDescription(Timestamp, 'When it was created.'),
  updatedAt: withDescription(Timestamp, 'Moves with every visible change.'),
});
