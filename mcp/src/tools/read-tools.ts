import {
  contractFilters,
  Id,
  milestoneFilters,
  pageQuery,
  paymentFilters,
  timesheetFilters,
} from '@payroll/public-api';
import { Type } from 'typebox';
import { resultOf, type Tool } from './tool.js';

/** Pages are smaller than over HTTP (50): every item costs the model's attention (public-api.md §8). */
const PAGE_SIZE = 25;
const NoArguments = Type.Object({}, { additionalProperties: false });
const BY_ID = { input: Type.Object({ id: Id }, { additionalProperties: false }), idArgument: 'id' } as const;

interface Row extends Pick<Tool, 'title' | 'description' | 'operation' | 'input'> {
  /** The argument that is `{id}` in the path. */
  idArgument?: 'id' | 'contractId';
}

const UNTIL_NO_MORE = 'While hasMore is true, call again with cursor set to nextCursor and the same filters.';

const rows: Readonly<Record<string, Row>> = {
  get_business: {
    title: 'Get the workspace',
    description:
      'The employer whose data this connection reads: name, country, verification status. Takes no arguments.',
    operation: 'getBusiness',
    input: NoArguments,
  },
  list_contracts: {
    title: 'List contracts',
    description: `Contracts of the workspace, newest first; find one by externalReference. ${UNTIL_NO_MORE} There is no search by name: read titles and worker names from the results.`,
    operation: 'listContracts',
    input: pageQuery(contractFilters, PAGE_SIZE),
  },
  get_contract: {
    title: 'Get a contract',
    description: 'One contract by id, with its creator terms if it has any. Pay rates are not shown.',
    operation: 'getContract',
    ...BY_ID,
  },
  list_timesheets: {
    title: 'List timesheets',
    description: `Timesheets of the workspace, newest first; status "submitted" is work that is waiting for a decision. ${UNTIL_NO_MORE}`,
    operation: 'listTimesheets',
    input: pageQuery(timesheetFilters, PAGE_SIZE),
  },
  get_timesheet: {
    title: 'Get a timesheet',
    description:
      'One timesheet by id: period, units, rate, total, the date it is due to be paid, and its payment once approved.',
    operation: 'getTimesheet',
    ...BY_ID,
  },
  list_milestones: {
    title: "List a contract's milestones",
    description: `Milestones of one contract, newest first; those of one draft in their order. There is no list across contracts: list the contracts first, then ask for each of them. ${UNTIL_NO_MORE}`,
    operation: 'listMilestones',
    input: pageQuery({ contractId: Id, ...milestoneFilters }, PAGE_SIZE),
    idArgument: 'contractId',
  },
  get_milestone: {
    title: 'Get a milestone',
    description: 'One milestone by id: amount, due date, status, and its payment once approved.',
    operation: 'getMilestone',
    ...BY_ID,
  },
  list_payments: {
    title: 'List payments',
    description: `Payments of the workspace, newest first. Only status "completed" means that the worker has been paid. ${UNTIL_NO_MORE}`,
    operation: 'listPayments',
    input: pageQuery(paymentFilters, PAGE_SIZE),
  },
  get_payment: {
    title: 'Get a payment',
    description:
      'One payment by id: amounts, dates, status, and the reason if it failed. This neither starts nor changes a payout.',
    operation: 'getPayment',
    ...BY_ID,
  },
  get_balances: {
    title: 'Get balances',
    description:
      'Available and pending amounts by currency, and when they were read. An error means that they are unknown, never that they are zero.',
    operation: 'getBalances',
    input: NoArguments,
  },
};

/** The ten tools that need no confirmation. */
export const readTools: readonly Tool[] = Object.entries(rows).map(([name, { idArgument, ...row }]) => ({
  ...row,
  name,
  scopes: ['read'],
  destructive: false,
  use: async ({ arguments: given, caller: { assertion }, facade, signal }) => {
    const query = Object.fromEntries(Object.entries(given).filter(([argument]) => argument !== idArgument));
    const params = idArgument ? { id: String(given[idArgument]) } : {};
    return resultOf(await facade.call({ operation: row.operation, params, query, assertion, signal }));
  },
}));
