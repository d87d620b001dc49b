import { expect, it } from 'vitest';
import { isOpen } from './invitation.js';

const now = '2027-01-01T00:00:00.000000Z';
const later = '2027-01-01T00:00:00.000001Z';
const fresh = { acceptedAt: null, revokedAt: null, expiresAt: later };

it.each([
  [fresh, true],
  [{ ...fresh, expiresAt: now }, false],
  [{ ...fresh, acceptedAt: now }, false],
  [{ ...fresh, revokedAt: now }, false],
])('%j is open: %s', (invitation, open) => expect(isOpen(invitation, now)).toBe(open));
