import { expect, onTestFinished, test } from 'vitest';
import { cellHint, processLabels } from '../deployment.js';
import { createLog } from '../log.js';
import { metrics } from './catalogue.js';
import { startMetrics } from './scrape.js';
import { startTelemetry } from '../http/lifecycle.js';

test('log lines, metrics and refusals of a process name its cell, once it is known', async () => {
  // Other tests run in this process.
  onTestFinished(() => void delete processLabels.cell);
  const lines: string[] = [];
  const log = createLog('test', 'info', { write: (line) => void lines.push(line), flushSync: () => undefined });
  log.info('before');
  expect(cellHint()).toBe('');
  await using _telemetry = await startTelemetry('test', {
    ...{ cell: 'eu1', metricsHost: '127.0.0.1', metricsPort: null, tracing: null },
  });
  log.info('after');
  expect(lines.map((line) => (JSON.parse(line) as { cell?: string }).cell)).toEqual([undefined, 'eu1']);
  expect(cellHint()).toContain('This is the cell eu1');
  const { read } = await startMetrics();
  metrics.errors.add({ code: 'RATE_LIMITED' });
  const scraped = (await read()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  expect(scraped).not.toEqual([]);
  expect(scraped.filter((line) => !line.includes('cell="eu1"'))).toEqual([]);
});
