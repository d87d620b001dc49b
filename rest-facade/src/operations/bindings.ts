import { operations, type OperationName } from '@payroll/public-api';

/** What a request asks, as its shapes read it. */
export interface OperationInput {
  params: Record<string, unknown>;
  query: Record<string, unknown>;
  body: unknown;
}

/** Which field of the graph answers an operation, and with what. */
export interface Binding {
  kind: 'query' | 'mutation';
  field: string;
  /** `page` turns the graph's list into the public one; `one` may be null, which is 404. */
  answers: 'one' | 'page';
  /** What a 404 says was not found. */
  what: string;
  variables: Readonly<Record<string, string>>;
  valuesOf: (input: OperationInput) => Record<string, unknown>;
}

const pageVariables = { updatedSince: 'Timestamp', limit: 'Int!', cursor: 'String' };
const byId = { variables: { id: 'ID!' }, valuesOf: ({ params }: OperationInput) => params };
const byQuery = ({ query }: OperationInput) => query;
const byIdAndBody = ({ params, body }: OperationInput) => ({ ...params, ...(body as object) });

/** Mutations take `operationId` beside these: the caller adds it. */
export const bindings: Readonly<Record<OperationName, Binding>> = {
  createContract: {
    ...mutation('createContractDraft', 'The contract'),
    variables: { input: 'ContractDraftInput!' },
    valuesOf: ({ body }) => ({ input: body }),
  },
  listContracts: {
    ...page('contracts'),
    variables: { status: 'ContractStatus', includeDeleted: 'Boolean!', externalReference: 'String', ...pageVariables },
    // The wire has the words, the graph the truth values (public-api.md §4).
    valuesOf: ({ query }) => ({ ...query, includeDeleted: query['includeDeleted'] === 'true' }),
  },
  getContract: { ...single('contract', 'The contract'), ...byId },
  listTimesheets: {
    ...page('timesheets'),
    variables: { status: 'TimesheetStatus', contractId: 'ID', ...pageVariables },
    valuesOf: byQuery,
  },
  getTimesheet: { ...single('timesheet', 'The timesheet'), ...byId },
  approveTimesheet: {
    ...mutation('approveTimesheet', 'The timesheet'),
    variables: { id: 'ID!', expectedVersion: 'String!' },
    valuesOf: byIdAndBody,
  },
  rejectTimesheet: {
    ...mutation('rejectTimesheet', 'The timesheet'),
    variables: { id: 'ID!', expectedVersion: 'String!', reason: 'String!' },
    valuesOf: byIdAndBody,
  },
  listPayments: {
    ...page('payments'),
    variables: { status: 'PaymentStatus', contractId: 'ID', ...pageVariables },
    valuesOf: byQuery,
  },
  getPayment: { ...single('payment', 'The payment'), ...byId },
  getBusiness: { ...single('business', 'The business'), variables: {}, valuesOf: () => ({}) },
};

export const operationNames = Object.keys(operations) as OperationName[];

function single(field: string, what: string) {
  return { kind: 'query', answers: 'one', field, what } as const;
}

function page(field: string) {
  return { kind: 'query', answers: 'page', field, what: 'The list' } as const;
}

function mutation(field: string, what: string) {
  return { kind: 'mutation', answers: 'one', field, what } as const;
}
