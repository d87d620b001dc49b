import { createSecretKey, randomUUID } from 'node:crypto';
import { mintActorToken } from '@payroll/admission';
import { newId, SCOPES, type Origin } from '@payroll/kernel';
import { readAnswers } from '@payroll/service';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { processes, type ProcessName } from '@payroll/infra/processes';
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

const eventually = { timeout: 40_000, interval: 100 };

it('while payments is stopped, an approval names its payment in time, and reading it is 503', async () => {
  const { stack } = system;
  await stack.stop('payments');
  const { timesheetId, paymentId, answer, ms } = await approveOne();
  expect(answer).toMatchObject({ status: 200, body: { status: 'approved', paymentId: expect.any(String) } });
  expect(ms).toBeLessThan(10_000);
  const read = await system.rest(admin(), 'GET', `/payments/${paymentId}`);
  expect(read).toMatchObject({ status: 503, body: { error: { code: 'SERVICE_UNAVAILABLE' } } });
  expect(Number(read.headers.get('retry-after'))).toBeGreaterThan(0);
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
  const paymentsWait = 'select count(*)::int from review.outbox_delivery';
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
  const [answer] = readAnswers<{ data: { approveTimesheet: { paymentId: string } } }>(await response.text());
  return answer!.data.approveTimesheet.paymentId;
}
