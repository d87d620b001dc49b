import { CONTRACT_STATUSES, MILESTONE_STATUSES, PAYMENT_STATUSES, TIMESHEET_STATUSES } from '@payroll/kernel';
import { Type, type Static, type TProperties, type TSchema } from 'typebox';
import { Id, nullableText, oneOf, text } from './scalars.js';

/** Pages of 50 over HTTP; the MCP tools say 25 (public-api.md §8). */
const HTTP_PAGE_SIZE = 50;

/** public-api.md §1: the form of every list. */
export const pageOf = <Item extends TSchema>(item: Item) =>
  Type.Object(
    { data: Type.Array(item), hasMore: Type.Boolean(), nextCursor: nullableText() },
    { additionalProperties: false },
  );

/** Filters of a list, and the two parameters that walk through its pages. */
export const pageQuery = <Filters extends TProperties>(filters: Filters, pageSize = HTTP_PAGE_SIZE) =>
  Type.Object(
    {
      ...filters,
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: pageSize })),
      cursor: Type.Optional(
        text({
          minLength: 1,
          maxLength: 2048,
          description: 'nextCursor of the previous page; keep the filters unchanged.',
        }),
      ),
    },
    { additionalProperties: false },
  );

const updatedSince = Type.Optional(
  Type.String({ format: 'date-time', description: 'Inclusive; turns the order to oldest change first.' }),
);

export const contractFilters = {
  status: Type.Optional(oneOf(CONTRACT_STATUSES)),
  updatedSince,
  includeDeleted: Type.Optional(
    oneOf(['true', 'false'], { default: 'false', description: 'Whether deleted contracts are listed too.' }),
  ),
  externalReference: Type.Optional(text({ minLength: 1, maxLength: 128 })),
};

export const timesheetFilters = {
  status: Type.Optional(oneOf(TIMESHEET_STATUSES)),
  contractId: Type.Optional(Id),
  updatedSince,
};

/** There is no `updatedSince` for milestones (public-api.md §4). */
export const milestoneFilters = { status: Type.Optional(oneOf(MILESTONE_STATUSES)) };

export const paymentFilters = {
  status: Type.Optional(oneOf(PAYMENT_STATUSES)),
  contractId: Type.Optional(Id),
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
