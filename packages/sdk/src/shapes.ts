import type { DecimalKey } from './body.js';
import type { components, operations } from './v1.js';

// The names of the API's shapes. v1.ts is made of its openapi.json by `npm run client`.

type Schemas = components['schemas'];

export type Money = Schemas['Money'];
export type Business = Schemas['Business'];
export type Balances = Schemas['Balances'];
export type ContractSummary = Schemas['ContractSummary'];
export type ContractDetail = Schemas['ContractDetail'];
export type Timesheet = Schemas['Timesheet'];
export type Milestone = Schemas['Milestone'];
export type Payment = Schemas['Payment'];
export type ErrorCode = Schemas['ErrorCode'];
export type ErrorBody = Schemas['ErrorBody'];
export type ErrorDetail = Schemas['ErrorDetail'];

/** The input of a draft. An amount may be a string of decimals too, `'85.10'`: it is sent digit by digit. */
export type ContractDraft = WithDecimals<Schemas['ContractDraft']>;

type WithDecimals<T> = T extends readonly (infer Each)[]
  ? WithDecimals<Each>[]
  : T extends object
    ? { [Key in keyof T]: Key extends DecimalKey ? T[Key] | string : WithDecimals<T[Key]> }
    : T;

export interface Page<Item> {
  data: Item[];
  hasMore: boolean;
  nextCursor: string | null;
}

type QueryOf<Name extends keyof operations> = NonNullable<operations[Name]['parameters']['query']>;

export type ContractQuery = QueryOf<'listContracts'>;
export type TimesheetQuery = QueryOf<'listTimesheets'>;
export type MilestoneQuery = QueryOf<'listMilestones'>;
export type PaymentQuery = QueryOf<'listPayments'>;

/** The version that was reviewed; the decision applies to this version only. */
export interface Reviewed {
  id: string;
  version: string;
}
