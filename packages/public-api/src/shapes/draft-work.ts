import { Type } from 'typebox';
import { CreatorFormat, CreatorPlatform, Exclusivity, IpOwnership } from './contract.js';
import { mostItems } from './limits.js';
import { count, Day, exactNumber, Id, noted, nullable, nullableText, text } from './scalars.js';

const exactly = (description: string) => ({ additionalProperties: false, description });
const amount = exactNumber({ exclusiveMinimum: 0, description: 'In the currency of the compensation, else USD.' });

/** In quotes: an id has 36 characters. */
const MOST_DOCUMENTS = mostItems(`"${'0'.repeat(36)}"`);

export const DraftMilestone = Type.Object(
  {
    title: text({ minLength: 1, maxLength: 200, description: 'What the milestone is called.' }),
    description: Type.Optional(text({ maxLength: 10_000, description: 'What is to be done.' })),
    amount,
    dueDate: Type.Optional(noted(Day, 'When it is to be done.')),
    sortOrder: Type.Optional(count(0, { description: 'Its place among the milestones; by default as sent.' })),
    documentIds: Type.Optional(
      Type.Array(Id, { maxItems: MOST_DOCUMENTS, description: 'Documents that belong to it.' }),
    ),
  },
  exactly('A piece of work to be paid as a whole. It becomes a milestone in status `pending`, listed at once.'),
);

export const DraftCreatorTerms = Type.Object(
  {
    exclusivity: Exclusivity,
    exclusivityEndDate: Type.Optional(nullable(Day, { description: 'Last day of a `fixed_term` exclusivity.' })),
    ipOwnership: IpOwnership,
    usageNote: Type.Optional(nullableText({ maxLength: 2000, description: 'How the content may be used.' })),
  },
  exactly('The terms of a creator contract.'),
);

export const DraftDeliverable = Type.Object(
  {
    platform: CreatorPlatform,
    format: CreatorFormat,
    brief: text({ minLength: 1, maxLength: 2000, description: 'What is to be made.' }),
    dueDate: Type.Optional(nullable(Day, { description: 'When it is to be delivered.' })),
    amount,
    sortOrder: Type.Optional(count(0, { description: 'Its place among the deliverables; by default as sent.' })),
  },
  exactly('A piece of content that a creator delivers.'),
);
