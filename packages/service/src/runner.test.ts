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
