import type { EntityManager } from '@mikro-orm/postgresql';
import { createLog, startMetrics } from '@payroll/runtime';
import { expect, test } from 'vitest';
import { OutboxRelay } from './relay.js';

test('every event that a service publishes is counted from 0, for the alert that looks for those that settle payments', async () => {
  const { read } = await startMetrics();
  await using _relay = new OutboxRelay({
    ...{ service: 'payments', em: {} as EntityManager, log: createLog('test', 'silent') },
    bus: { connected: false, requestOnce: () => Promise.reject(new Error('no bus')) },
  });
  const shown = (await read()).split('\n').filter((line) => line.startsWith('payroll_events_committed_total'));
  expect(shown).toContain('payroll_events_committed_total{type="payment.completed"} 0');
  expect(shown).toContain('payroll_events_committed_total{type="payment.failed"} 0');
  expect(shown.join()).not.toContain('timesheet.approved');
});
