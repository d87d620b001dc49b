import { operations, type OperationName } from '@payroll/public-api';
import type { Static, TSchema } from 'typebox';

type Api = typeof operations;

/** A request to an operation, parsed by the operation's shapes. */
export interface OperationInput<Name extends OperationName> {
  params: Static<Api[Name]['params']>;
  query: Static<Api[Name]['query']>;
  body: Api[Name] extends { body: { shape: infer Shape extends TSchema } } ? Static<Shape> : undefined;
}

/** Which field of the graph answers an operation, and with what. */
export interface Binding<Name extends OperationName> {
  field: string;
  /** The noun in the message of a 404. */
  what: string;
  variables: Readonly<Record<string, string>>;
  valuesOf: (input: OperationInput<Name>) => Record<string, unknown>;
  /** A parent that must exist: a field queried in the same request; null is 404. */
  within?: { field: string; arguments: string; what: string };
  /** Any read error makes the whole response unavailable, because a partial one would be a guess (public-api.md §7). */
  unavailableUnlessRead?: true;
}

const pageVariables = { limit: 'Int!', cursor: 'String' };
const changeVariables = { updatedSince: 'Timestamp', ...pageVariables };
const byQuery = ({ query }: { query: object }) => ({ ...query });

const approval = {
  variables: { id: 'ID!', expectedVersion: 'String!' },
  valuesOf: ({ params, body }: OperationInput<'approveTimesheet' | 'approveMilestone'>) => ({
    id: params.id,
    expectedVersion: body.expectedVersion,
  }),
};
const rejection = {
  variables: { ...approval.variables, reason: 'String!' },
  valuesOf: (input: OperationInput<'rejectTimesheet' | 'rejectMilestone'>) => ({
    ...approval.valuesOf(input),
    reason: input.body.reason,
  }),
};

/** Mutations take `operationId` beside these: the caller adds it. */
export const bindings: { readonly [Name in OperationName]: Binding<Name> } = {
  createContract: {
    field: 'createContractDraft',
    what: 'The contract',
    variables: { input: 'ContractDraftInput!' },
    valuesOf: ({ body }) => ({ input: body }),
  },
  listContracts: {
    field: 'contracts',
    what: 'The list',
    variables: {
      status: 'ContractStatus',
      includeDeleted: 'Boolean!',
      externalReference: 'String',
      ...changeVariables,
    },
    // Text on the wire, a boolean in the graph (public-api.md §4).
    valuesOf: ({ query }) => ({ ...query, includeDeleted: query.includeDeleted === 'true' }),
  },
  getContract: byId('contract'),
  listMilestones: {
    field: 'milestones',
    what: 'The list',
    variables: { contractId: 'ID!', status: 'MilestoneStatus', ...pageVariables },
    valuesOf: ({ params, query }) => ({ contractId: params.id, ...query }),
    // Review returns an empty list for an unknown contract, so contracts must say whether it exists.
    within: { field: 'contract', arguments: 'id: $contractId', what: 'The contract' },
  },
  listTimesheets: {
    field: 'timesheets',
    what: 'The list',
    variables: { status: 'TimesheetStatus', contractId: 'ID', ...changeVariables },
    valuesOf: byQuery,
  },
  getTimesheet: byId('timesheet'),
  approveTimesheet: { field: 'approveTimesheet', what: 'The timesheet', ...approval },
  rejectTimesheet: { field: 'rejectTimesheet', what: 'The timesheet', ...rejection },
  getMilestone: byId('milestone'),
  approveMilestone: { field: 'approveMilestone', what: 'The milestone', ...approval },
  rejectMilestone: { field: 'rejectMilestone', what: 'The milestone', ...rejection },
  listPayments: {
    field: 'payments',
    what: 'The list',
    variables: { status: 'PaymentStatus', contractId: 'ID', ...changeVariables },
    valuesOf: byQuery,
  },
  getPayment: byId('payment'),
  getBalances: { ...ofWorkspace('balances', 'The balance'), unavailableUnlessRead: true },
  getBusiness: ofWorkspace('business', 'The business'),
};

export const operationNames = Object.keys(operations) as OperationName[];

function byId(field: string) {
  const valuesOf = ({ params: { id } }: { params: { id: string } }) => ({ id });
  return { ...ofWorkspace(field, `The ${field}`), variables: { id: 'ID!' }, valuesOf };
}

function ofWorkspace(field: string, what: string) {
  return { field, what, variables: {}, valuesOf: () => ({}) };
}
