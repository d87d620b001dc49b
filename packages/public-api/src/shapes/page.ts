import { Type, type Static, type TProperties, type TSchema } from 'typebox';
import { ContractStatus } from './contract.js';
import { MilestoneStatus, PaymentStatus, TimesheetStatus } from './resources.js';
import { Id, noted, nullableText, oneOf, text } from './scalars.js';

/** Pages of 50 over HTTP; the MCP tools say 25 (public-api.md §8). */
const HTTP_PAGE_SIZE = 50;
const MOST_ON_A_PAGE = 100;
const MOST_OF_A_CURSOR = 2048;

/** public-api.md §1: the form of every list. */
export const pageOf = <Item extends TSchema>(item: Item) =>
  Type.Object(
    {
      data: Type.Array(item, { maxItems: MOST_ON_A_PAGE, description: 'This page.' }),
      hasMore: Type.Boolean({ description: 'Whether there is another page after this one.' }),
      nextCursor: nullableText({
        maxLength: MOST_OF_A_CURSOR,
        description: 'Leads to the next page; null on the last one.',
      }),
    },
    { additionalProperties: false, description: 'A page of a list.' },
  );

/** Filters of a list, and the two parameters that walk through its pages. */
export const pageQuery = <Filters extends TProperties>(filters: Filters, pageSize = HTTP_PAGE_SIZE) =>
  Type.Object(
    {
      ...filters,
      limit: Type.Optional(
        Type.Integer({
          format: 'int32',
          minimum: 1,
          maximum: MOST_ON_A_PAGE,
          default: pageSize,
          description: 'How many to answer at most. It may differ from page to page.',
        }),
      ),
      cursor: Type.Optional(
        text({
          minLength: 1,
          maxLength: MOST_OF_A_CURSOR,
          description: '`nextCursor` of the previous page. Keep the filters unchanged.',
        }),
      ),
    },
    { additionalProperties: false },
  );

/** What a request line can hold at most: fractional digits have no bound of their own. */
const MOST_OF_A_REQUEST_LINE = 16_384;

const updatedSince = Type.Optional(
  Type.String({
    format: 'date-time',
    maxLength: MOST_OF_A_REQUEST_LINE,
    pattern: 'Z$',
    description:
      'Only what changed then or later; a UTC timestamp ending in `Z`. Turns the order to oldest change first. See *Following changes*.',
  }),
);
const ofContract = Type.Optional(noted(Id, 'Only what belongs to this contract.'));

export const contractFilters = {
  status: Type.Optional(noted(ContractStatus, 'Only contracts in this status.')),
  updatedSince,
  includeDeleted: Type.Optional(
    oneOf(['true', 'false'], {
      default: 'false',
      description: 'Whether tombstones of deleted contracts are listed too.',
    }),
  ),
  externalReference: Type.Optional(
    text({
      minLength: 1,
      maxLength: 128,
      description: 'Only the contract that this principal created with this reference, whatever its status is now.',
    }),
  ),
};

export const timesheetFilters = {
  status: Type.Optional(noted(TimesheetStatus, 'Only timesheets in this status.')),
  contractId: ofContract,
  updatedSince,
};

/** There is no `updatedSince` for milestones (public-api.md §4). */
export const milestoneFilters = { status: Type.Optional(noted(MilestoneStatus, 'Only milestones in this status.')) };

export const paymentFilters = {
  status: Type.Optional(noted(PaymentStatus, 'Only payments in this status.')),
  contractId: ofContract,
  updatedSince,
};

export const ContractListQuery = pageQuery(contractFilters);
export const TimesheetListQuery = pageQuery(timesheetFilters);
export const MilestoneListQuery = pageQuery(milestoneFilters);
export const PaymentListQuery = pageQuery(paymentFilters);
export type ContractListQuery = Static<typeof ContractListQuery>;
export type TimesheetListQuery = Static<typeof TimesheetListQuery>;
export type MilestoneListQuery = Static<typeof MilestoneListQuery>;
export type PaymentListQuery = Static<typeof PaymentListQuery>;

/** For operations that take no query: any parameter is one too many. */
export const NoQuery = Type.Object({}, { additionalProperties: false });
export const NoParams = NoQuery;
export const IdParams = Type.Object({ id: Id }, { additionalProperties: false });
