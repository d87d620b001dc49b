import { draftRules, type ErrorCode, type Scope } from '@payroll/kernel';
import type { TObject, TSchema } from 'typebox';
import type { Rules } from './reading/reader.js';
import { ContractDraft } from './shapes/contract-draft.js';
import {
  ContractDetail,
  ContractSummary,
  Approval,
  Balances,
  Business,
  Milestone,
  Payment,
  Rejection,
  Timesheet,
} from './shapes/resources.js';
import {
  ContractListQuery,
  IdParams,
  milestoneFilters,
  NoQuery,
  pageSchema,
  pageQuery,
  paymentFilters,
  timesheetFilters,
} from './shapes/page.js';

/** public-api.md §4: 16–128 letters, digits, `_` and `-`. */
export const IDEMPOTENCY_KEY_PATTERN = '^[A-Za-z0-9_-]{16,128}$';

export function isIdempotencyKey(value: unknown): value is string {
  return typeof value === 'string' && IDEMPOTENCY_KEY_FORM.test(value);
}

const IDEMPOTENCY_KEY_FORM = new RegExp(IDEMPOTENCY_KEY_PATTERN);

/** One row of public-api.md §4: everything about an operation that a caller can see. */
export interface ApiOperation {
  method: 'GET' | 'POST';
  /** Below `/v1`; parameters as OpenAPI writes them. */
  path: `/${string}`;
  summary: string;
  scope: Scope;
  params: TObject;
  query: TObject;
  /** Every POST has one, and an `Idempotency-Key`. */
  body?: { shape: TObject; rules?: Rules };
  success: { status: 200 | 201; shape: TSchema };
  /** How it may clash with what is there already, beside how its Idempotency-Key may. */
  conflicts?: readonly ErrorCode[];
}

const read = { method: 'GET', scope: 'read', params: NoQuery, query: NoQuery } as const;
const one = { ...read, params: IdParams } as const;
const write = { method: 'POST', params: NoQuery, query: NoQuery } as const;
const review = { ...write, params: IdParams, conflicts: ['STALE_RESOURCE_VERSION', 'INVALID_STATE'] } as const;
const ok = <Shape extends TSchema>(shape: Shape) => ({ status: 200, shape }) as const;

export const operations = {
  createContract: {
    ...write,
    path: '/contracts',
    summary: 'Create a contract draft',
    scope: 'contracts:write',
    body: { shape: ContractDraft, rules: draftRules },
    conflicts: ['EXTERNAL_REFERENCE_EXISTS'],
    success: { status: 201, shape: ContractSummary },
  },
  listContracts: {
    ...read,
    path: '/contracts',
    summary: 'List contracts',
    query: ContractListQuery,
    success: ok(pageSchema(ContractSummary)),
  },
  getContract: { ...one, path: '/contracts/{id}', summary: 'Get one contract', success: ok(ContractDetail) },
  listMilestones: {
    ...read,
    path: '/contracts/{id}/milestones',
    summary: 'List milestones of a contract',
    params: IdParams,
    query: pageQuery(milestoneFilters),
    success: ok(pageSchema(Milestone)),
  },
  listTimesheets: {
    ...read,
    path: '/timesheets',
    summary: 'List timesheets',
    query: pageQuery(timesheetFilters),
    success: ok(pageSchema(Timesheet)),
  },
  getTimesheet: { ...one, path: '/timesheets/{id}', summary: 'Get one timesheet', success: ok(Timesheet) },
  approveTimesheet: {
    ...review,
    path: '/timesheets/{id}/approve',
    summary: 'Approve a timesheet, which creates its payment',
    scope: 'timesheets:write',
    body: { shape: Approval },
    success: ok(Timesheet),
  },
  rejectTimesheet: {
    ...review,
    path: '/timesheets/{id}/reject',
    summary: 'Reject a timesheet',
    scope: 'timesheets:write',
    body: { shape: Rejection },
    success: ok(Timesheet),
  },
  getMilestone: { ...one, path: '/milestones/{id}', summary: 'Get one milestone', success: ok(Milestone) },
  approveMilestone: {
    ...review,
    path: '/milestones/{id}/approve',
    summary: 'Approve a milestone, whose payment is processed at once',
    scope: 'milestones:write',
    body: { shape: Approval },
    success: ok(Milestone),
  },
  rejectMilestone: {
    ...review,
    path: '/milestones/{id}/reject',
    summary: 'Reject a milestone',
    scope: 'milestones:write',
    body: { shape: Rejection },
    success: ok(Milestone),
  },
  listPayments: {
    ...read,
    path: '/payments',
    summary: 'List payments',
    query: pageQuery(paymentFilters),
    success: ok(pageSchema(Payment)),
  },
  getPayment: { ...one, path: '/payments/{id}', summary: 'Get one payment', success: ok(Payment) },
  getBalances: { ...read, path: '/balances', summary: 'Get balances', success: ok(Balances) },
  getBusiness: { ...read, path: '/business', summary: 'Get the current workspace', success: ok(Business) },
} as const satisfies Record<string, ApiOperation>;

export type OperationName = keyof typeof operations;
