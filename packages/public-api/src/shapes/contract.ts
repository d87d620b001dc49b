import { CONTRACT_STATUSES, CONTRACT_TYPES, EMPLOYMENT_TYPES, MAX_ROWS } from '@payroll/kernel';
import { Type, type Static } from 'typebox';
import { DraftCreatorTerms, DraftDeliverable } from './contract-draft.js';
import {
  strictObject,
  count,
  Day,
  Id,
  Money,
  withDescription,
  nullable,
  nullableText,
  oneOf,
  text,
  Timestamp,
} from './scalars.js';

export const ContractStatus = oneOf(CONTRACT_STATUSES, {
  description: 'Where a contract is in its life. The API creates drafts; all else happens in the application.',
});
export const EmploymentType = oneOf(EMPLOYMENT_TYPES, { description: 'What the worker is to the business.' });
export const ContractType = oneOf(CONTRACT_TYPES, {
  description: 'How the work is paid. `employment_at_will` is for employees, all others are for contractors.',
});
// An answer has the words of the draft.
export const { exclusivity: Exclusivity, ipOwnership: IpOwnership } = DraftCreatorTerms.properties;
export const { platform: CreatorPlatform, format: CreatorFormat } = DraftDeliverable.properties;

export const Worker = strictObject('Who works under the contract. Both are null until someone is named.', {
  id: nullable(Id, { description: 'The id of the worker.' }),
  name: nullableText({ maxLength: 200, description: 'The name of the worker.' }),
});

const summaryFields = {
  id: withDescription(Id, 'The id of the contract.'),
  title: text({ maxLength: 200, description: 'What the contract is called.' }),
  employmentType: EmploymentType,
  contractType: ContractType,
  status: ContractStatus,
  worker: Worker,
  startDate: nullable(Day, { description: 'First day of the contract.' }),
  endDate: nullable(Day, { description: 'Last day of the contract; null when it has no end.' }),
  createdAt: withDescription(Timestamp, 'When it was created.'),
  updatedAt: withDescription(Timestamp, 'Moves with every visible change, deletion included.'),
  deletedAt: nullable(Timestamp, { description: 'Set for a deleted contract, whose tombstone this is.' }),
};

export const CreatorTerms = strictObject('The terms of a creator contract.', {
  exclusivity: Exclusivity,
  exclusivityEndDate: nullable(Day, { description: 'Last day of a `fixed_term` exclusivity.' }),
  ipOwnership: IpOwnership,
  usageNote: nullableText({ maxLength: 2000, description: 'How the content may be used.' }),
});

export const CreatorDeliverable = strictObject('A piece of content that a creator delivers.', {
  id: withDescription(Id, 'The id of the deliverable.'),
  platform: CreatorPlatform,
  format: CreatorFormat,
  brief: text({ maxLength: 2000, description: 'What is to be made.' }),
  dueDate: nullable(Day, { description: 'When it is agreed to be delivered.' }),
  amount: withDescription(Money, 'What it pays.'),
  sortOrder: count(0, { description: 'Its place among the deliverables.' }),
});

export const Creator = strictObject('What a creator and the business agree on.', {
  terms: nullable(CreatorTerms, { description: 'Null when none were sent.' }),
  deliverables: Type.Array(CreatorDeliverable, {
    maxItems: MAX_ROWS,
    description: 'By `sortOrder`, then as sent.',
  }),
});

/** The result of create and list (public-api.md §2). */
export const ContractSummary = strictObject('An agreement with a worker, from its draft to its end.', summaryFields);

/** The result of get (public-api.md §2). */
export const ContractDetail = strictObject('A contract with its creator part.', {
  ...summaryFields,
  creator: nullable(Creator, {
    description: 'For contracts of the type `contractor_creator`, and where creator data was sent; otherwise null.',
  }),
});
export type ContractDetail = Static<typeof ContractDetail>;
