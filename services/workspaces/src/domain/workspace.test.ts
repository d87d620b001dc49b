import { KYB_STATUSES, type KybStatus } from '@payroll/kernel';
import { expect, it } from 'vitest';
import { followVerification } from './workspace.js';

const WAYS: Readonly<Record<KybStatus, readonly KybStatus[]>> = {
  not_started: ['pending'],
  pending: ['verified', 'rejected'],
  verified: ['pending', 'rejected'],
  rejected: ['pending'],
};

it.each(KYB_STATUSES.flatMap((from) => KYB_STATUSES.map((to) => [from, to] as const)))('%s → %s', (from, to) => {
  if (WAYS[from].includes(to)) expect(followVerification(from, to)).toBe(to);
  else expect(() => followVerification(from, to)).toThrow(expect.objectContaining({ code: 'INVALID_STATE' }));
});
