import { Type, type Static } from 'typebox';
import { text, trimmedText } from './scalars.js';

const expectedVersion = text({
  minLength: 1,
  maxLength: 128,
  description: 'The `version` of the resource as it was last fetched and reviewed.',
});

/** Body of the approvals: the version that was reviewed (public-api.md §4). */
export const Approval = Type.Object(
  { expectedVersion },
  { additionalProperties: false, description: 'Which version was reviewed.' },
);
export type Approval = Static<typeof Approval>;

/** Body of the rejections. The reason counts without the white space around it. */
export const Rejection = Type.Object(
  {
    expectedVersion,
    reason: trimmedText(2000, { description: 'Why. White space at both ends is cut off, and does not count.' }),
  },
  { additionalProperties: false, description: 'Which version was reviewed, and why it is rejected.' },
);
export type Rejection = Static<typeof Rejection>;
