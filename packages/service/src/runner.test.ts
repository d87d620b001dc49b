import { createLog, startMetrics } from '@payroll/runtime';
import { expect, test } from 'vitest';
import { startBackgroundJob } from './runner.js';

test('a job whose first round does not end is shown with no finished rounds, for the alert that looks for them', async () => {
  const { read } = await startMetrics();
  const round = Promise.withResolvers<void>();
  const job = startBackgroundJob({
    ...{ name: 'hangs', everyMs: 1_000, log: createLog('test', 'silent') },
    work: () => round.promise,
  });
  const shown = await read();
  round.resolve();
  await job[Symbol.asyncDispose]();
  expect(shown).toContain('payroll_runner_round_duration_seconds_count{runner="hangs",outcome="ok"} 0\n');
});

test('a job that fails is tried again at growing intervals, and at its own once it has succeeded', async () => {
  const [begun, startedAt] = [[] as number[], performance.now()];
  const ended = Promise.withResolvers<void>();
  const job = startBackgroundJob({
    ...{ name: 'fails', everyMs: 40, log: createLog('test', 'silent') },
    work: () => {
      begun.push(performance.now() - startedAt);
      if (begun.length === 6) ended.resolve();
      return begun.length <= 3 ? Promise.reject(new Error('away')) : Promise.resolve();
    },
  });
  await ended.promise;
  await job[Symbol.asyncDispose]();
  const pauses = begun.slice(1).map((at, n) => at - begun[n]!);
  expect(pauses.slice(0, 3).every((pause, n) => pause > 0.9 * [80, 160, 320][n]!)).toBe(true);
  expect(pauses[4]).toBeLessThan(320);
});
