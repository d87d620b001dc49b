import { KYB_STATUSES } from '@payroll/kernel';
import { Type, type Static } from 'typebox';
import { Id, noted, oneOf, text, Timestamp } from './scalars.js';

export const KybStatus = oneOf(KYB_STATUSES, {
  description: 'How far the verification of the business has come. Money is paid out for verified businesses only.',
});

/** The workspace that the credential belongs to (public-api.md §2). */
export const Business = Type.Object(
  {
    id: noted(Id, 'The id of the business.'),
    name: text({ maxLength: 200, description: 'What the business is called.' }),
    country: text({ pattern: '^[A-Z]{2}$', maxLength: 2, description: 'ISO 3166-1 alpha-2.' }),
    kybStatus: KybStatus,
    createdAt: noted(Timestamp, 'When it was created.'),
    updatedAt: noted(Timestamp, 'Moves with every visible change.'),
  },
  { additionalProperties: false, description: 'The workspace that the credential belongs to.' },
);
export type Business = Static<typeof Business>;
