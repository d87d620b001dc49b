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
  /** What must exist for there to be an answer: a field asked in the same request, whose null is 404. */
  within?: { field: string; arguments: string; what: string };
  /** Whatever keeps it from being read makes it unavailable: it is never a guess (public-api.md §7). */
  unavailableUnlessRead?: true;
}

const pageVariables = { limit: 'Int!', cursor: 'String' };
const changeVariables = { updatedSince: 'Timestamp', ...pageVariables };
const byId = { variables: { id: 'ID!' }, valuesOf: ({ params }: OperationInput) => params };
const byQuery = ({ query }: OperationInput) => query;
const nothing = { variables: {}, valuesOf: () => ({}) };

const reviewed = { id: 'ID!', expectedVersion: 'String!' };
const byIdAndBody = ({ params, body }: OperationInput) => ({ ...params, ...(body as object) });
const approval = { variables: reviewed, valuesOf: byIdAndBody };
const rejection = { variables: { ...reviewed, reason: 'String!' }, valuesOf: byIdAndBody };

/** Mutations take `operationId` beside these: the caller adds it. */
export const bindings: Readonly<Record<OperationName, Binding>> = {
  createContract: {
    ...mutation('createContractDraft', 'The contract'),
    variables: { input: 'ContractDraftInput!' },
    valuesOf: ({ body }) => ({ input: body }),
  },
  listContracts: {
    ...page('contracts'),
    variables: {
      status: 'ContractStatus',
      includeDeleted: 'Boolean!',
      externalReference: 'String',
      ...changeVariables,
    },
    // The wire has the words, the graph the truth values (public-api.md §4).
    valuesOf: ({ query }) => ({ ...query, includeDeleted: query['includeDeleted'] === 'true' }),
  },
  getContract: { ...single('contract', 'The contract'), ...byId },
  listMilestones: {
    ...page('milestones'),
    variables: { contractId: 'ID!', status: 'MilestoneStatus', ...pageVariables },
    valuesOf: ({ params, query }) => ({ contractId: params['id'], ...query }),
    // Review lists nothing for a contract it does not know; whether there is one, its owner says.
    within: { field: 'contract', arguments: 'id: $contractId', what: 'The contract' },
  },
  listTimesheets: {
    ...page('timesheets'),
    variables: { status: 'TimesheetStatus', contractId: 'ID', ...changeVariables },
    valuesOf: byQuery,
  },
  getTimesheet: { ...single('timesheet', 'The timesheet'), ...byId },
  approveTimesheet: { ...mutation('approveTimesheet', 'The timesheet'), ...approval },
  rejectTimesheet: { ...mutation('rejectTimesheet', 'The timesheet'), ...rejection },
  getMilestone: { ...single('milestone', 'The milestone'), ...byId },
  approveMilestone: { ...mutation('approveMilestone', 'The milestone'), ...approval },
  rejectMilestone: { ...mutation('rejectMilestone', 'The milestone'), ...rejection },
  listPayments: {
    ...page('payments'),
    variables: { status: 'PaymentStatus', contractId: 'ID', ...changeVariables },
    valuesOf: byQuery,
  },
  getPayment: { ...single('payment', 'The payment'), ...byId },
  getBalances: { ...single('balances', 'The balance'), ...nothing, unavailableUnlessRead: true },
  getBusiness: { ...single('business', 'The business'), ...nothing },
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
