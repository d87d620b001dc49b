import { spawn } from 'node:child_process';
import { createSecretKey, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mintActorToken } from '@payroll/admission';
import { newId, SCOPES, type Origin } from '@payroll/kernel';
import { parseJsonLines } from '@payroll/service';
import { afterAll, beforeAll, expect, inject, it, vi } from 'vitest';
import { findOnPath } from '@payroll/tools/local/programs';
import { findPort } from '@payroll/tools/local/ports';
import { processes, repositoryRoot, type ProcessName } from '@payroll/infra/processes';
import { PublicApi } from '../../support/client/client.js';
import { fetchDocument } from '../../support/document.js';
import { newPeople } from '../browser/visitor.js';
import { ownerOf } from '../owner.js';
import { activeContract, paymentsOf, startSystem, submittedTimesheet, type Answer, type System } from '../support.js';

let system: System;
let contractId: string;
const started = new AsyncDisposableStack();

beforeAll(async () => {
  system = started.use(await startSystem());
  contractId = await activeContract(system.access());
});

afterAll(async () => await started.disposeAsync());

const admin = (): string => system.workspaces[0].apiKeys.admin;

async function approveOne(): Promise<{ timesheetId: string; paymentId: string; answer: Answer; ms: number }> {
  const { id, version } = await submittedTimesheet(system.access(), contractId);
  const startedAt = performance.now();
  const answer = await system.rest(admin(), 'POST', `/timesheets/${id}/approve`, { expectedVersion: version });
  return { timesheetId: id, paymentId: String(answer.body['paymentId']), answer, ms: performance.now() - startedAt };
}

/** Empty while payments is down. */
const paymentsFor = (timesheetId: string): Promise<string[]> =>
  paymentsOf(system.access(), contractId, timesheetId).catch(() => []);

/** During each of three outages this many twice; 1,002 in all in the long form. */
const OUTAGE_ANSWERS = inject('isLongRun') ? 167 : 16;

const eventually = { timeout: 40_000, interval: 100 };

it('while payments is stopped, an approval names its payment in time, and reading it is 503', async () => {
  const { stack } = system;
  const [workspace] = system.workspaces;
  const { browser } = (await newPeople(system, workspace)).admin;
  await stack.stop('payments');
  const { timesheetId, paymentId, answer, ms } = await approveOne();
  expect(answer).toMatchObject({ status: 200, body: { status: 'approved', paymentId: expect.any(String) } });
  expect(ms).toBeLessThan(10_000);
  const read = await system.rest(admin(), 'GET', `/payments/${paymentId}`);
  expect(read).toMatchObject({ status: 503, body: { error: { code: 'SERVICE_UNAVAILABLE' } } });
  expect(Number(read.headers.get('retry-after'))).toBeGreaterThan(0);
  const place = `/workspaces/${workspace.id}`;
  const work = await browser.get(`${place}/review/timesheet/${timesheetId}`);
  expect([work.status, work.text]).toEqual([200, expect.stringContaining('See the payment')]);
  const contract = await browser.get(`${place}/contracts/${contractId}`);
  expect([contract.status, contract.text]).toEqual([
    200,
    expect.stringContaining('Payments cannot be read at the moment.'),
  ]);
  await stack.start('payments');
  await stack.ready('payments');
  await expect.poll(() => paymentsFor(timesheetId), eventually).toEqual([paymentId]);
});

it('facade and review finish the approvals in progress before they stop', async () => {
  const { stack } = system;
  // A suspended payments does not reply, so each approval waits for a second: time enough to stop the processes.
  const { payments } = stack.file.processes;
  process.kill(payments!, 'SIGSTOP');
  const work = await Promise.all(Array.from({ length: 5 }, () => submittedTimesheet(system.access(), contractId)));
  const answers = Promise.all(
    work.map(({ id, version }) =>
      system.rest(admin(), 'POST', `/timesheets/${id}/approve`, { expectedVersion: version }),
    ),
  );
  const paymentsWait = `select count(*)::int from review.outbox_delivery join review.outbox_event on id = event_id
    where type = 'timesheet.approved'`;
  await using owner = await ownerOf(system);
  await vi.waitUntil(async () => (await owner.database.query<{ count: number }>(paymentsWait)).rows[0]!.count >= 5, {
    timeout: 20_000,
    interval: 10,
  });
  await Promise.all([stack.stop('rest-facade'), stack.stop('review')]);
  expect((await answers).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  process.kill(payments!, 'SIGCONT');
  await Promise.all([stack.start('review'), stack.start('rest-facade')]);
  for (const { id } of work) await expect.poll(() => paymentsFor(id), eventually).toHaveLength(1);
});

it('a restart of NATS between approvals loses no event and applies none twice', async () => {
  const { stack } = system;
  const approvals = [await approveOne()];
  await stack.nats.stop();
  await stack.nats.start();
  approvals.push(await approveOne());
  for (const { timesheetId, paymentId } of approvals) {
    await expect.poll(() => paymentsFor(timesheetId), eventually).toEqual([paymentId]);
  }
});

it('while NATS is down, processes are ready, reads and writes work, and payments follow later', async () => {
  const { stack } = system;
  await stack.nats.stop();
  const { timesheetId, paymentId, answer } = await approveOne();
  expect(answer).toMatchObject({ status: 200, body: { status: 'approved' } });
  expect(await system.rest(admin(), 'GET', `/timesheets/${timesheetId}`)).toMatchObject({ status: 200 });
  expect(await system.rest(admin(), 'GET', '/payments')).toMatchObject({ status: 200 });
  expect(await system.rest(admin(), 'POST', '/contracts', { title: 'Without NATS' })).toMatchObject({ status: 201 });
  // The payment does not exist yet, and the facade cannot fetch it from review without NATS.
  expect(await system.rest(admin(), 'GET', `/payments/${paymentId}`)).toMatchObject({ status: 503 });
  const readiness = async (name: ProcessName): Promise<number> =>
    (await fetch(`http://127.0.0.1:${stack.ports[name]}/readyz`)).status;
  for (const { name } of processes) expect(await readiness(name), name).toBe(200);
  // A process that starts while NATS is down becomes ready too.
  await stack.stop('payments');
  await stack.start('payments');
  await stack.ready('payments');
  await stack.nats.start();
  await expect.poll(() => paymentsFor(timesheetId), eventually).toEqual([paymentId]);
});

it('when review is killed between commit and delivery, its next process delivers the event', async () => {
  const { stack } = system;
  const { id, version } = await submittedTimesheet(system.access(), contractId);
  // Without NATS no event can be delivered; the approval itself needs only review and Postgres.
  await stack.nats.stop();
  const paymentId = await approveAtReview(id, version);
  await stack.kill('review', 'SIGKILL');
  await stack.nats.start();
  await stack.ready('review');
  await expect.poll(() => paymentsFor(id), eventually).toEqual([paymentId]);
});

it('while Postgres is down answers are 503 in time, and 200 once it is back', async () => {
  const { stack } = system;
  await stack.postgres.stop();
  const startedAt = performance.now();
  const answers = await Promise.all([
    system.rest(admin(), 'GET', '/business'),
    system.rest(admin(), 'POST', '/contracts', { title: 'Not now' }),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([503, 503]);
  expect(performance.now() - startedAt).toBeLessThan(10_500);
  await stack.postgres.start();
  await expect.poll(async () => (await system.rest(admin(), 'GET', '/business')).status, eventually).toBe(200);
  await expect.poll(async () => (await system.send('{ business { id } }')).errors, eventually).toBeUndefined();
});

/** The section for /v1 of infra/balancer/haproxy.cfg, with this system's facade behind it. Returns the address of /v1. */
async function balancerBefore({ stack }: System, haproxy: string): Promise<string> {
  const port = await findPort(0, 'free');
  const whole = readFileSync(join(repositoryRoot, 'infra/balancer/haproxy.cfg'), 'utf8');
  const [general = ''] = whole.split(/^(?:backend|listen|frontend) /m, 1);
  const section = /^listen rest-facade\n(?: .*\n)+/m.exec(whole)![0];
  const config =
    `${general}backend sources-rest-facade\n  stick-table type ipv6 size 100k expire 2m store conn_cur\n${section}`
      .replace(/^resolvers .*\n(?: .*\n)+/m, '')
      .replace(' resolvers dns init-addr none', '')
      .replace(/bind :\d+/, `bind 127.0.0.1:${port}`)
      .replace(/server-template .*/, `server facade 127.0.0.1:${stack.ports['rest-facade']}`);
  const dir = mkdtempSync(join(tmpdir(), 'balancer-outages-'));
  started.defer(() => rmSync(dir, { recursive: true }));
  writeFileSync(join(dir, 'haproxy.cfg'), config);
  const child = spawn(haproxy, ['-f', join(dir, 'haproxy.cfg'), '-db'], { stdio: 'ignore' });
  const exited = once(child, 'exit');
  started.defer(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  return `http://127.0.0.1:${port}/v1`;
}

const haproxy = findOnPath('haproxy');

it.skipIf(haproxy === undefined)(
  'behind the balancer, with Postgres, NATS and the facade away in turn, every answer fits openapi.json',
  { timeout: 600_000 },
  async () => {
    const { stack } = system;
    const api = new PublicApi(await balancerBefore(system, haproxy!), await fetchDocument(stack.file.rest.url));
    const answered = new Map<number, number>();
    const ask = async (n: number): Promise<void> => {
      const body = JSON.stringify({ title: `Outage ${n}` });
      const headers = { 'content-type': 'application/json', 'idempotency-key': randomUUID() };
      const read = { method: 'GET', path: n % 4 === 0 ? '/business' : '/contracts', key: admin() } as const;
      const write = { method: 'POST', path: '/contracts', key: admin(), headers, body } as const;
      const request = n % 2 === 0 ? read : write;
      // Throws at an answer that the document does not allow: status, headers or body. HAProxy closes a kept connection
      // without an answer if the facade closed its own at that moment: a network error, which a client retries.
      const { status } = await api.raw(request).catch((error: unknown) => {
        if (!isNetworkError(error)) throw error;
        return api.raw(request);
      });
      answered.set(status, (answered.get(status) ?? 0) + 1);
    };
    const askAll = async (): Promise<void> => {
      // In eight clients: an outage costs some of them their whole deadline.
      const each = async (client: number): Promise<void> => {
        for (let n = client; n < OUTAGE_ANSWERS; n += 8) await ask(n);
      };
      await Promise.all(Array.from({ length: 8 }, (_, client) => each(client)));
    };
    await expect.poll(async () => (await fetch(`${api.baseUrl}/openapi.json`)).status, eventually).toBe(200);
    const outages = [
      [() => stack.postgres.stop(), () => stack.postgres.start()],
      [() => stack.nats.stop(), () => stack.nats.start()],
      [() => stack.stop('rest-facade'), () => stack.start('rest-facade')],
    ] as const;
    for (const [begin, end] of outages) {
      // Some requests are under way when the outage begins.
      await Promise.all([askAll(), begin()]);
      await askAll();
      await end();
      await expect
        .poll(async () => (await system.rest(admin(), 'GET', '/business').catch(() => null))?.status, eventually)
        .toBe(200);
    }
    expect([...answered.values()].reduce((sum, each) => sum + each)).toBe(6 * OUTAGE_ANSWERS);
    expect(answered.get(503)).toBeGreaterThan(2 * OUTAGE_ANSWERS);
  },
);

/** The error of `fetch` for a connection that ended without an answer. */
const isNetworkError = (error: unknown): boolean => error instanceof TypeError && error.message === 'fetch failed';

/** Calls review directly with an actor token made here, as the gateway would relay it. */
async function approveAtReview(id: string, expectedVersion: string): Promise<string> {
  const { stack, workspaces } = system;
  const origin: Origin = {
    actor: { kind: 'service', principalId: newId(), workspaceId: workspaces[0].id, role: null, scopes: SCOPES },
    via: 'graphql',
    requestId: randomUUID(),
  };
  const token = mintActorToken('review', createSecretKey(stack.secrets.actorKeys.review, 'hex'), origin, new Date());
  const query = `mutation ($id: ID!, $version: String!) { approveTimesheet(id: $id, expectedVersion: $version) { paymentId } }`;
  const response = await fetch(`http://127.0.0.1:${stack.ports.review}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify([{ query, variables: { id, version: expectedVersion }, extensions: { token } }]),
  });
  const [answer] = parseJsonLines<{ data: { approveTimesheet: { paymentId: string } } }>(await response.text());
  return answer!.data.approveTimesheet.paymentId;
}
