import { KYB_STATUSES } from '@payroll/kernel';
import { Type, type Static } from 'typebox';
import { Id, oneOf, text, Timestamp } from './scalars.js';

/** The workspace that the credential belongs to (public-api.md §2). */
export const Business = Type.Object(
  {
    id: Id,
    name: text(),
    country: text(),
    kybStatus: oneOf(KYB_STATUSES, { description: 'How far the verification of the business has come.' }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { additionalProperties: false },
);
export type Business = Static<typeof Business>;
