import { describe, expect, it } from 'vitest';
import { followPayee, VERIFICATION_STATUSES, type PayeeEdge, type VerificationStatus } from './payee.js';

const EDGES: Record<PayeeEdge, Partial<Record<VerificationStatus, VerificationStatus>>> = {
  verify: { unverified: 'verified' },
  reject: { unverified: 'rejected' },
  change: { unverified: 'unverified', verified: 'unverified', rejected: 'unverified' },
};

const every = Object.keys(EDGES).flatMap((edge) =>
  VERIFICATION_STATUSES.map((from) => [edge as PayeeEdge, from] as const),
);

describe('a payee', () => {
  it.each(every)('%s from %s', (edge, from) => {
    const to = EDGES[edge][from];
    if (to) expect(followPayee(from, edge)).toBe(to);
    else expect(() => followPayee(from, edge)).toThrow(expect.objectContaining({ code: 'INVALID_STATE' }));
  });
});
