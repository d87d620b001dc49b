import { expect, it } from 'vitest';
import { metrics } from './catalogue.js';
import { onScrape, serveMetrics } from './scrape.js';

it('exports counted metrics, omits unset ones, and omits one that cannot be read', async () => {
  await using server = await serveMetrics('127.0.0.1', 0);
  metrics.errors.add({ code: 'RATE_LIMITED' }, 2);
  metrics.commands.seconds(0.02, { command: 'timesheet.approve', outcome: 'applied' });
  metrics.outboxOldest.set({ consumer: 'review' }, 7);
  using _healthy = onScrape({
    name: 'bus',
    read: () => metrics.busConnected.set({}, 1),
    sets: [metrics.busConnected],
  });
  using _broken = onScrape({
    name: 'outbox',
    read: () => Promise.reject(new Error('Postgres is away')),
    sets: [metrics.outboxOldest],
  });

  const answer = await fetch(`http://127.0.0.1:${server.port}/metrics`);
  expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
  const lines = (await answer.text()).split('\n').filter((line) => line.startsWith('payroll_'));
  // Tests that ran in this process before may have counted too.
  expect(lines).toContainEqual(expect.stringMatching(/^payroll_errors_total\{code="RATE_LIMITED"\} (?:[2-9]|\d\d+)$/));
  expect(lines).toContain(
    'payroll_command_duration_seconds_bucket{le="0.025",command="timesheet.approve",outcome="applied"} 1',
  );
  expect(lines).toContain('payroll_nats_connected 1');
  expect(lines).toContainEqual(expect.stringMatching(/^payroll_build_info\{version="\d+\.\d+\.\d+"\} 1$/));
  expect(lines).toContain('payroll_scrape_failures_total{reading="outbox"} 1');
  expect(lines.filter((line) => /^payroll_(outbox|dead_letters)/.test(line))).toEqual([]);
});

it('the port of metrics serves nothing but metrics', async () => {
  await using server = await serveMetrics('127.0.0.1', 0);
  const origin = `http://127.0.0.1:${server.port}`;
  expect((await fetch(`${origin}/`)).status).toBe(404);
  expect((await fetch(`${origin}/metrics`, { method: 'POST' })).status).toBe(404);
});
