import { creatorDraft, employeeDraft, milestoneDraft, paidDraft, shortDraft, usualDraft } from './drafts.js';
import type { Explanation } from './explanation.js';
import { contract, creatorContract, CURSOR, draft } from './samples.js';

export const contractOperations = {
  createContract: {
    tag: 'Contracts',
    description:
      'Creates a contract in status `draft`. It is completed, reviewed and signed in the application. Amounts of milestones and deliverables are in the currency of the compensation, else in USD. An employee contract needs `countryOfEmployment`; employment and contract type must agree.',
    answer: 'The draft.',
    requests: {
      short: { summary: 'As little as it takes', value: shortDraft },
      usual: { summary: 'Who works as what, and from when', value: usualDraft },
      hourly: { summary: 'A contractor paid by the hour', value: paidDraft },
      employee: { summary: 'An employee', value: employeeDraft },
      milestones: { summary: 'Work paid by milestones', value: milestoneDraft },
      creator: { summary: 'A creator', value: creatorDraft },
    },
    answers: { draft: { summary: 'A draft', value: draft } },
  },
  listContracts: {
    tag: 'Contracts',
    description:
      'Lists contracts, newest first; with `updatedSince`, oldest change first. Deleted ones only with `includeDeleted=true`: they have `deletedAt`. A reference that this principal has not used lists nothing.',
    answer: 'A page of contracts.',
    answers: {
      page: { summary: 'A page, and there is more', value: { data: [contract], hasMore: true, nextCursor: CURSOR } },
      none: { summary: 'Nothing that fits', value: { data: [], hasMore: false, nextCursor: null } },
    },
  },
  getContract: {
    tag: 'Contracts',
    description: 'Gets one contract, with its creator part. A deleted one is still found, and has `deletedAt`.',
    answer: 'The contract.',
    answers: {
      creator: { summary: 'A contract with a creator', value: creatorContract },
      other: { summary: 'Any other contract', value: { ...contract, creator: null } },
    },
  },
} as const satisfies Record<string, Explanation>;
