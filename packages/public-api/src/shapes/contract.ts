import {
  CONTRACT_STATUSES,
  CONTRACT_TYPES,
  CREATOR_FORMATS,
  CREATOR_PLATFORMS,
  EMPLOYMENT_TYPES,
  EXCLUSIVITIES,
  IP_OWNERSHIPS,
} from '@payroll/kernel';
import { Type, type Static } from 'typebox';
import { Day, Id, Money, nullable, nullableText, oneOf, text, Timestamp } from './scalars.js';

const exactly = { additionalProperties: false };

export const Worker = Type.Object({ id: nullable(Id), name: nullableText() }, exactly);

const summaryFields = {
  id: Id,
  title: text(),
  employmentType: oneOf(EMPLOYMENT_TYPES),
  contractType: oneOf(CONTRACT_TYPES),
  status: oneOf(CONTRACT_STATUSES),
  worker: Worker,
  startDate: nullable(Day),
  endDate: nullable(Day),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  deletedAt: nullable(Timestamp),
};

export const CreatorTerms = Type.Object(
  {
    exclusivity: oneOf(EXCLUSIVITIES),
    exclusivityEndDate: nullable(Day),
    ipOwnership: oneOf(IP_OWNERSHIPS),
    usageNote: nullableText(),
  },
  exactly,
);

export const CreatorDeliverable = Type.Object(
  {
    id: Id,
    platform: oneOf(CREATOR_PLATFORMS),
    format: oneOf(CREATOR_FORMATS),
    brief: text(),
    dueDate: nullable(Day),
    amount: Money,
    sortOrder: Type.Integer(),
  },
  exactly,
);

export const Creator = Type.Object(
  { terms: nullable(CreatorTerms), deliverables: Type.Array(CreatorDeliverable) },
  exactly,
);

/** public-api.md §2: what create and list return. */
export const ContractSummary = Type.Object(summaryFields, exactly);
export type ContractSummary = Static<typeof ContractSummary>;

/** public-api.md §2: what get returns. */
export const ContractDetail = Type.Object({ ...summaryFields, creator: nullable(Creator) }, exactly);
export type ContractDetail = Static<typeof ContractDetail>;
