import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { activeContract, paymentsOf, joinSystem, submittedTimesheet, type Answer } from '../support.js';

const system = await joinSystem();
const admin = system.workspaces[0].apiKeys.admin;
const contractId = await activeContract(system.access());

const approve = (id: string, expectedVersion: string, key: string = randomUUID()): Promise<Answer> =>
  system.rest(admin, 'POST', `/timesheets/${id}/approve`, { expectedVersion }, key);

const payment = (id: unknown): Promise<Answer> => system.rest(admin, 'GET', `/payments/${String(id)}`);

const paymentsFor = (timesheetId: string): Promise<string[]> => paymentsOf(system.access(), contractId, timesheetId);

it('the payment of an approval is in the next read, by id and in the list', async () => {
  const { id, version } = await submittedTimesheet(system.access(), contractId);
  const approved = await approve(id, version);
  expect(approved).toMatchObject({ status: 200, body: { status: 'approved' } });
  const { paymentId } = approved.body;
  const list = await system.rest(admin, 'GET', '/payments?limit=1');
  expect(list.body['data']).toMatchObject([{ id: paymentId }]);
  expect(await payment(paymentId)).toMatchObject({
    status: 200,
    body: { id: paymentId, timesheetId: id, status: 'pending', grossAmount: { amount: '500.00', currency: 'EUR' } },
  });
});

it('30 concurrent approvals of one timesheet make one payment and 29 conflicts', async () => {
  const { id, version } = await submittedTimesheet(system.access(), contractId);
  const answers = await Promise.all(Array.from({ length: 30 }, () => approve(id, version)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array.from({ length: 29 }, () => 409)]);
  expect(
    new Set(answers.filter(({ status }) => status === 409).map(({ body }) => (body['error'] as { code: string }).code)),
  ).toEqual(new Set(['STALE_RESOURCE_VERSION']));
  const approved = answers.find(({ status }) => status === 200)!;
  expect(await paymentsFor(id)).toEqual([approved.body['paymentId']]);
});

it('copies of one request with one key make one payment and get equal final answers', async () => {
  const { id, version } = await submittedTimesheet(system.access(), contractId);
  const key = randomUUID();
  const finally200 = async (): Promise<Answer> => {
    const answer = await approve(id, version, key);
    return answer.status === 409 && (answer.body['error'] as { code: string }).code === 'OPERATION_IN_PROGRESS'
      ? await finally200()
      : answer;
  };
  // Stays below the write limit of one minute, including the requests of the earlier tests.
  const answers = await Promise.all(Array.from({ length: 3 }, finally200));
  expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  expect(answers.every(({ status }) => status === 200)).toBe(true);
  expect(await paymentsFor(id)).toHaveLength(1);
});
