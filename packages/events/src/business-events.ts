import { KYB_STATUSES } from '@payroll/kernel';
import { Type } from 'typebox';
import { defineEvent } from './define-event.js';
import { id, revision } from './fields.js';

/** The business of a workspace changed in a way that decides over payouts. */
export const businessChanged = defineEvent({
  publisher: 'workspaces',
  consumers: ['payments'],
  body: Type.Object({
    businessId: id,
    revision,
    kybStatus: Type.Enum(KYB_STATUSES),
  }),
});
