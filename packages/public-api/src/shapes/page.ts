import { Type, type TProperties, type TSchema } from 'typebox';
import { ContractStatus, MilestoneStatus, PaymentStatus, TimesheetStatus } from './resources.js';
import { strictObject, Id, withDescription, nullableText, oneOf, text } from './scalars.js';

/** Pages of 50 over HTTP; the MCP tools say 25 (public-api.md §8). */
const HTTP_PAGE_SIZE = 50;
const MAX_PAGE_SIZE = 100;
const MAX_CURSOR_LENGTH = 2048;

/** public-api.md §1: the form of every list. */
export const pageSchema = <Item extends TSchema>(item: Item) =>
  strictObject('A page of a list.', {
    data: Type.Array(item, { maxItems: MAX_PAGE_SIZE, description: 'This page.' }),
    hasMore: Type.Boolean({ description: 'Whether there is another page after this one.' }),
    nextCursor: nullableText({
      maxLength: MAX_CURSOR_LENGTH,
      description: 'Leads to the next page; null on the last one.',
    }),
  });

/** Filters of a list, and the two parameters that walk through its pages. */
export const pageQuery = <Filters extends TProperties>(filters: Filters, pageSize = HTTP_PAGE_SIZE) =>
  Type.Object(
    {
      ...filters,
      limit: Type.Optional(
        Type.Integer({
          format: 'int32',
          minimum: 1,
          maximum: MAX_PAGE_SIZE,
          default: pageSize,
          description: 'How many to answer at most. It may differ from page to page.',
        }),
      ),
      cursor: Type.Optional(
        text({
          minLength: 1,
          maxLength: MAX_CURSOR_LENGTH,
          description: '`nextCursor` of the previous page. Keep the filters unchanged.',
        }),
      ),
    },
    { additionalProperties: false },
  );

/** The longest possible request line: fractional digits have no limit of their own. */
const MAX_REQUEST_LINE_LENGTH = 16_384;

const updatedSince = Type.Optional(
  Type.String({
    format: 'date-time',
    maxLength: MAX_REQUEST_LINE_LENGTH,
    pattern: 'Z$',
    description:
      'Only what changed then or later; a UTC timestamp ending in `Z`. Turns the order to oldest change first. See *Following changes*.',
  }),
);
const ofContract = Type.Optional(withDescription(Id, 'Only what belongs to this contract.'));

export const contractFilters = {
  status: Type.Optional(withDescription(ContractStatus, 'Only contracts in this status.')),
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
  status: Type.Optional(withDescription(TimesheetStatus, 'Only timesheets in this status.')),
  contractId: ofContract,
  updatedSince,
};

/** There is no `updatedSince` for milestones (public-api.md §4). */
export const milestoneFilters = {
  status: Type.Optional(withDescription(MilestoneStatus, 'Only milestones in this status.')),
};

export const paymentFilters = {
  status: Type.Optional(withDescription(PaymentStatus, 'Only payments in this status.')),
  contractId: ofContract,
  updatedSince,
};

export const ContractListQuery = pageQuery(contractFilters);

/** For operations that take no parameters, in the path or the query: any parameter is one too many. */
export const NoQuery = Type.Object({}, { additionalProperties: false });
export const IdParams = Type.Object({ id: Id }, { additionalProperties: false });
