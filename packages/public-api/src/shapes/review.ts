import { Type, type Static } from 'typebox';
import { trimmedText } from './scalars.js';
import { Version } from './timesheet.js';

/** Body of the approvals: the version that was reviewed (public-api.md §4). */
export const Approval = Type.Object({ expectedVersion: Version }, { additionalProperties: false });
export type Approval = Static<typeof Approval>;

/** Body of the rejections. The reason counts without the white space around it. */
export const Rejection = Type.Object(
  { expectedVersion: Version, reason: trimmedText(2000, { description: 'At most 2000 characters once trimmed.' }) },
  { additionalProperties: false },
);
export type Rejection = Static<typeof Rejection>;
