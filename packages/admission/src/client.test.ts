import { unavailable } from '@payroll/kernel';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createAdmissionClient, type Requester } from './client.js';
import type { AdmissionRequest } from './protocol.js';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const question: AdmissionRequest = {
  credential: null,
  requestId: 'request',
  clientAddress: '::1',
  limit: 'reads',
  scope: 'read',
};

/** Workspaces does not answer: every request times out. */
const silent: Requester = {
  request: (_questions, timeoutMs) =>
    new Promise((_resolve, reject) => setTimeout(() => reject(unavailable('Admission')), timeoutMs)),
};

async function pass(ms: number): Promise<void> {
  vi.advanceTimersByTime(ms);
  await new Promise((resolve) => setImmediate(resolve));
}

it('while workspaces is silent, a question fails within 3 s of its call, even if it waited for others', async () => {
  const client = createAdmissionClient(silent);
  const failedAfterMs: Promise<number>[] = [];
  const ask = async (): Promise<number> => {
    const askedAt = performance.now();
    await expect(client.ask(question)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    return performance.now() - askedAt;
  };
  for (let n = 0; n < 300; n++) {
    failedAfterMs.push(ask());
    await pass(10);
  }
  for (let n = 0; n < 300; n++) await pass(10);
  const slowest = Math.max(...(await Promise.all(failedAfterMs)));
  expect(slowest).toBeGreaterThan(2_000);
  expect(slowest).toBeLessThanOrEqual(3_000);
});

it.each([[null], [{}], [[]], [[{}, {}]]])('%j is not a valid answer to one question', async (answer) => {
  const client = createAdmissionClient({ request: () => Promise.resolve(answer) });
  await expect(client.ask(question)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
});
