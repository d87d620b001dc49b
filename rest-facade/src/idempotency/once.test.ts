import { DomainError } from '@payroll/kernel';
import { createLog } from '@payroll/process';
import { expect, test, vi } from 'vitest';
import type { IdempotencyClaims } from './claims.js';
import { once } from './once.js';

const claim = { principalId: 'p', key: 'k', operationId: 'o', attempt: 1, history: 'h' };
const request = { principalId: 'p', key: 'k', fingerprint: 'f', requestId: 'r' };

/** What becomes of the key when the operation throws this. */
async function afterThrowing(error: unknown): Promise<'freed' | 'given up'> {
  const free = vi.fn<() => Promise<boolean>>(() => Promise.resolve(true));
  const giveUp = vi.fn<() => Promise<boolean>>(() => Promise.resolve(true));
  const begin = (): Promise<unknown> => Promise.resolve({ kind: 'held', claim });
  const claims = { begin, free, giveUp } as unknown as IdempotencyClaims;
  const asked = once({ claims, log: createLog('test', 'silent') }, request, () => Promise.reject(error as Error));
  await expect(asked).rejects.toBe(error);
  expect(free.mock.calls.length + giveUp.mock.calls.length).toBe(1);
  return free.mock.calls.length === 1 ? 'freed' : 'given up';
}

test('a bug says nothing of whether the operation was applied: the key keeps its operation id', async () => {
  expect(await afterThrowing(new TypeError('a bug'))).toBe('given up');
  expect(await afterThrowing(new DomainError('INTERNAL_ERROR', 'a bug'))).toBe('given up');
});

test('a refusal frees the key', async () => {
  expect(await afterThrowing(new DomainError('INVALID_STATE', 'not now'))).toBe('freed');
});
