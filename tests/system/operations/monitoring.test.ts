import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { withMcpTokens } from '@payroll/tools/demo/operator';
import { instruct } from '@payroll/tools/demo/graphql-client';
import { REQUEST_FUNDING, transferOf } from '@payroll/tools/demo/operations';
import { payTo, settle } from '@payroll/tools/demo/seed-payments';
import { contractIn, hourly, registerWorker, submitWeek } from '@payroll/tools/demo/steps';
import { readSpans, tracesOf, type Span } from '@payroll/tools/operate/trace-text';
import { modernHost } from '../assistants/hosts.js';
import { exchange } from '../integrator.js';
import { joinSystem, told } from '../support.js';

/** The trace context of an external caller, as its own tracing would send it. */
const OUTSIDE = { traceId: 'c0ffee00c0ffee00c0ffee00c0ffee00', spanId: 'c0ffee00c0ffee00' };
const PRIVATE = 'Wildly private reason';

const system = await joinSystem();
const access = system.access();
await instruct(access, REQUEST_FUNDING, transferOf('1000', 'EUR'));
const worker = await registerWorker(access, 'Tilda Trace', 'example.com');
await payTo(access, worker.id, 'DE89 3704 0044 0532 0130 00');
const dueAtOnce = { invoicingSettings: { paymentDueDays: 0, autoPayEnabled: true } };
const contractId = await contractIn(access, worker, hourly('Followed', 'EUR', '50', dueAtOnce), 'active');

const spans = (): Span[] => told.traces.flatMap(readSpans);

async function decide(verb: 'approve' | 'reject', week: number, more: object = {}) {
  const { id, version } = await submitWeek(system.access(), contractId, week, '2');
  return await exchange(`${system.stack.file.rest.url}/timesheets/${id}/${verb}`, {
    key: system.workspaces[0].apiKeys.admin,
    method: 'POST',
    body: { expectedVersion: version, ...more },
    idempotencyKey: crypto.randomUUID(),
    headers: { traceparent: `00-${OUTSIDE.traceId}-${OUTSIDE.spanId}-01` },
  });
}

/** Each step with its parent, as `process: step`. */
function hopsOf(trace: readonly Span[]): Set<string> {
  const named = new Map(trace.map((span) => [span.spanId, `${span.process}: ${span.name}`]));
  return new Set(trace.map(({ spanId, parentId }) => `${named.get(parentId ?? '') ?? '-'} > ${named.get(spanId)}`));
}

const APPROVAL = `
  - > rest-facade: approve timesheet
  rest-facade: approve timesheet > rest-facade: ask who is calling
  rest-facade: ask who is calling > workspaces: find out who is calling
  rest-facade: approve timesheet > rest-facade: register the idempotency key
  rest-facade: approve timesheet > rest-facade: ask review
  rest-facade: ask review > review: answer: approve timesheet
  review: answer: approve timesheet > review: approve timesheet
  review: approve timesheet > review: deliver timesheet.approved to payments
  review: answer: approve timesheet > review: wait until consumers reply
  review: deliver timesheet.approved to payments > payments: receive timesheet.approved
  payments: receive timesheet.approved > payments: create payment for timesheet
  payments: create payment for timesheet > payments: take up the due payment
  payments: take up the due payment > payments: process payment
  payments: process payment > payments: deliver payment.processing to review
  payments: deliver payment.processing to review > review: receive payment.processing
  review: receive payment.processing > review: apply payment status
  payments: take up the due payment > payments: wait until consumers reply
  payments: process payment > payments: follow the payout
  payments: follow the payout > payments: ask payout provider
  payments: follow the payout > payments: record payout answer
  payments: record payout answer > payments: deliver payment.completed to review
  payments: deliver payment.completed to review > review: receive payment.completed
  review: receive payment.completed > review: apply payment status
  payments: record payout answer > payments: deliver notice.payment to workspaces
  payments: deliver notice.payment to workspaces > workspaces: receive notice.payment
  workspaces: receive notice.payment > workspaces: keep notice
  payments: follow the payout > payments: wait until consumers reply`
  .trim()
  .split(/\n\s*/);

/** Occurs if the newest event about the business has not arrived yet. */
const WHEN_ASKED_FIRST = 'payments: take up the due payment > payments: keep business';

it("an approval is one trace, from request to settled payment, and only links the caller's trace", async () => {
  const answer = await decide('approve', 0);
  const { paymentId } = JSON.parse(answer.text) as { paymentId: string };
  await settle(system.access(), paymentId, 'completed');

  const requestId = answer.headers.get('x-request-id')!;
  const hops = (): Set<string> => {
    const all = hopsOf(tracesOf(spans(), requestId).flat());
    all.delete(WHEN_ASKED_FIRST);
    return all;
  };
  await expect.poll(hops, { timeout: 20_000 }).toEqual(new Set(APPROVAL));
  const [trace = [], ...more] = tracesOf(spans(), requestId);
  expect(more).toEqual([]);
  const [root, ...others] = trace.filter(({ parentId }) => parentId === null);
  expect(others).toEqual([]);
  expect(root!.traceId).not.toBe(OUTSIDE.traceId);
  expect(root!.links).toEqual([OUTSIDE.traceId]);
  expect(root!.attributes).toMatchObject({
    'payroll.request_id': requestId,
    'payroll.workspace_id': system.workspaces[0].id,
    'http.response.status_code': '200',
  });

  for (const process of ['rest-facade', 'review', 'payments']) {
    const log = readFileSync(join(system.stack.dir, 'logs', `${process}.log`), 'utf8');
    const lines = log.split('\n').filter((line) => line.includes(`"requestId":"${requestId}"`));
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.filter((line) => !line.includes(`"traceId":"${root!.traceId}"`))).toEqual([]);
  }
});

it("an assistant's call is one trace from its host to the service that answers", async () => {
  const { workspaces } = await withMcpTokens(system.stack, { workspaces: system.stack.file.workspaces! });
  const token = workspaces[0]!.mcpTokens!.viewer;
  await using host = await modernHost(system.stack.file.mcp!.url, token);
  expect((await host.call('list_timesheets', {})).isError).not.toBe(true);
  const through = (): string[] => {
    const one = spans().find(({ name }) => name === 'use the tool list_timesheets');
    return [...hopsOf(spans().filter(({ traceId }) => traceId === one?.traceId))];
  };
  await expect
    .poll(through, { timeout: 20_000 })
    .toEqual(
      expect.arrayContaining([
        '- > mcp: answer an assistant',
        'mcp: answer an assistant > mcp: use the tool list_timesheets',
        'mcp: ask /v1 to list timesheets > rest-facade: list timesheets',
        'rest-facade: ask review > review: answer: timesheets',
      ]),
    );
});

it('neither traces nor metrics contain a secret, a body or a name, and metrics contain no id either', async () => {
  const answer = await decide('reject', 1, { reason: PRIVATE });
  expect(answer.status).toBe(200);
  const requestId = answer.headers.get('x-request-id')!;
  await expect.poll(() => tracesOf(spans(), requestId).length, { timeout: 20_000 }).toBe(1);

  const ports = Object.values(await told.metricsPorts);
  const pages = await Promise.all(ports.map(async (port) => (await fetch(`http://127.0.0.1:${port}/metrics`)).text()));
  const { secrets, database, natsUrls, file } = system.stack;
  const passwords = [...Object.values(database.urls), ...Object.values(natsUrls)].map((url) => new URL(url).password);
  const keys = system.workspaces.flatMap(({ apiKeys }) => Object.values(apiKeys));
  const hidden = [
    PRIVATE,
    'Tilda',
    'DE89',
    ...passwords,
    ...keys,
    ...Object.values(secrets.actorKeys),
    file.graphql.token!,
  ];
  const written = [...told.traces, ...pages];
  expect(hidden.filter((one) => written.some((text) => text.includes(one)))).toEqual([]);
  expect(written.filter((text) => /bearer |eyJ[\w-]+\.|\b(select .+ from|insert into)\b/i.test(text))).toEqual([]);

  const metrics = pages.join('\n');
  expect(metrics).toContain('payroll_command_duration_seconds_count{command="timesheet.reject",outcome="applied"}');
  expect(metrics).toMatch(/payroll_events_committed_total\{type="payment.completed"\} \d/);
  expect(metrics).toMatch(/payroll_runner_round_duration_seconds_count\{runner="retention",outcome="ok"\} \d/);
  expect(metrics).not.toMatch(/runner="retention",outcome="failed"/);
  expect(metrics.match(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}/g)).toBeNull();
});
