import { currentTraceparent, startTracing } from '@payroll/runtime';
import { expect, it } from 'vitest';
import { resumeTrace } from './resume-trace.js';

const EARLIER = '1'.repeat(32);
const payment = { workspaceId: 'w', paymentId: 'p', traceparent: `00-${EARLIER}-${'a'.repeat(16)}-01`, isRecent: true };

const traceOf = async (of: typeof payment | (Omit<typeof payment, 'traceparent'> & { traceparent: null })) =>
  (await resumeTrace(of, 'pay', () => Promise.resolve(currentTraceparent())))?.split('-')[1];

it('no traceparent is stored if tracing is off', async () => {
  expect(await traceOf(payment)).toBeUndefined();
});

it('continues a trace within an hour; later work starts a new one', async () => {
  await using _tracing = await startTracing('payments', { ratio: 1, exportEveryMs: 60_000 });
  expect(await traceOf(payment)).toBe(EARLIER);
  expect(await traceOf({ ...payment, isRecent: false })).toMatch(/^(?!1{32})[0-9a-f]{32}$/);
  expect(await traceOf({ ...payment, traceparent: null })).toMatch(/^[0-9a-f]{32}$/);
});
