import { CREATOR_FORMATS, CREATOR_PLATFORMS, EXCLUSIVITIES, IP_OWNERSHIPS } from '@payroll/kernel';
import { Type } from 'typebox';
import { count, Day, exactNumber, Id, nullable, nullableText, oneOf, text } from './scalars.js';

const exactly = { additionalProperties: false };
const amount = exactNumber({ exclusiveMinimum: 0, description: 'In the currency of the compensation, else USD.' });

export const DraftMilestone = Type.Object(
  {
    title: text({ minLength: 1, maxLength: 200 }),
    description: Type.Optional(text({ maxLength: 10_000 })),
    amount,
    dueDate: Type.Optional(Day),
    sortOrder: Type.Optional(count(0)),
    documentIds: Type.Optional(Type.Array(Id)),
  },
  exactly,
);

export const DraftCreatorTerms = Type.Object(
  {
    exclusivity: oneOf(EXCLUSIVITIES),
    exclusivityEndDate: Type.Optional(nullable(Day)),
    ipOwnership: oneOf(IP_OWNERSHIPS),
    usageNote: Type.Optional(nullableText({ maxLength: 2000 })),
  },
  exactly,
);

export const DraftDeliverable = Type.Object(
  {
    platform: oneOf(CREATOR_PLATFORMS),
    format: oneOf(CREATOR_FORMATS),
    brief: text({ minLength: 1, maxLength: 2000 }),
    dueDate: Type.Optional(nullable(Day)),
    amount,
    sortOrder: Type.Optional(count(0)),
  },
  exactly,
);
