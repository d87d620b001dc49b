import { newId, type Origin } from '@payroll/kernel';
import { sql } from 'kysely';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { worker } from './support/person.js';
import { Scene, type GraphqlAnswer } from './support/scene.js';
import { TestWorkspace, type Contract } from './support/test-workspace.js';

let workspace: TestWorkspace;
const scene = await Scene.open('payments_mine');
beforeEach(async () => {
  workspace = await TestWorkspace.open(scene);
});
afterAll(() => scene[Symbol.asyncDispose]());

const FIELDS = `id contractId timesheetId milestoneId status isDue obstacle grossAmount { amount } netAmount { amount currency }
  scheduledDate completedAt sentBy sentToEnding paidAmount { amount } deductions { name amount { amount } }`;
const ONE = `query ($id: ID!) { myPayment(id: $id) { ${FIELDS} } }`;
const LIST = `query ($limit: Int, $cursor: String) {
  myPayments(limit: $limit, cursor: $cursor) { nodes { ${FIELDS} } nextCursor } }`;

type Mine = Record<string, unknown> & { id: string };

function only({ data, errors }: GraphqlAnswer): unknown {
  expect(errors).toBeUndefined();
  return Object.values(data ?? {})[0];
}
const workerOf = ({ workerId }: Contract): Origin => worker(workspace.id, workerId);
const one = async (by: Origin, id: string): Promise<Mine | null> =>
  only(await workspace.send(ONE, { id }, by)) as Mine | null;
const page = async (by: Origin, variables: object = {}): Promise<{ nodes: Mine[]; nextCursor: string | null }> =>
  only(await workspace.send(LIST, variables, by)) as { nodes: Mine[]; nextCursor: string | null };
const obstacleOf = async (contract: Contract, id: string): Promise<unknown> =>
  (await one(workerOf(contract), id))?.['obstacle'];

describe('a worker reads', () => {
  it('their payments, newest first and page by page, with what is deducted and what was paid', async () => {
    const contract = await workspace.contract('sandbox:iban');
    await workspace.fund('500');
    const ids: string[] = [];
    for (const amount of ['100', '90', '80'])
      ids.push(await workspace.timesheet(contract, amount, { day: '2027-07-01' }));
    expect((await workspace.deduct(ids[0]!, '30', 'advance')).errors).toBeUndefined();
    const by = workerOf(contract);
    const first = await page(by, { limit: 2 });
    expect(first.nodes.map(({ id }) => id)).toEqual([ids[2], ids[1]]);
    const second = await page(by, { limit: 2, cursor: first.nextCursor });
    expect(second).toEqual({ nodes: [await one(by, ids[0]!)], nextCursor: null });
    expect(second.nodes[0]).toMatchObject({
      ...{ status: 'pending', isDue: false, obstacle: null, scheduledDate: '2027-07-01', sentBy: null },
      ...{ grossAmount: { amount: '100.00' }, netAmount: { amount: '70.00', currency: 'EUR' } },
      deductions: [{ name: 'advance', amount: { amount: '30.00' } }],
    });
    const milestone = await workspace.milestone(contract, '40');
    await scene.round();
    await scene.passTwoHours();
    await scene.round();
    expect(await one(by, milestone)).toMatchObject({
      ...{ status: 'completed', isDue: true, obstacle: null, paidAmount: { amount: '40.00' } },
      ...{ sentBy: 'bank_transfer', sentToEnding: 'iban', timesheetId: null },
    });
  });

  it('the account that the provider paid to, also where the order names another one', async () => {
    const contract = await workspace.contract('sandbox:iban');
    await workspace.fund('100');
    const id = await workspace.milestone(contract, '40');
    const { sandbox } = scene;
    await scene.round({
      submit: (order) => sandbox.submit({ ...order, payoutMethod: 'wise', destination: 'sandbox:former' }),
      lookUp: (order) => sandbox.lookUp(order),
    });
    const request = `mutation ($id: ID!) {
      requestOutcome(paymentId: $id, wasPaid: true, reason: "Their letter") { id } }`;
    await workspace.countersign((await workspace.ask<{ id: string }>(request, { id })).id);
    const paid = { status: 'completed', sentBy: 'wise', sentToEnding: 'rmer' };
    expect(await one(workerOf(contract), id)).toMatchObject(paid);
  });

  it('the paid amount with the digits of its currency, however the provider writes it', async () => {
    const contract = await workspace.contract('sandbox:iban');
    await workspace.fund('100');
    const id = await workspace.milestone(contract, '40');
    const { sandbox } = scene;
    await scene.round({
      submit: (order) => sandbox.submit({ ...order, amount: { amount: '40', currency: 'EUR' } }),
      lookUp: (order) => sandbox.lookUp(order),
    });
    expect(await one(workerOf(contract), id)).toMatchObject({ status: 'completed', paidAmount: { amount: '40.00' } });
    const attempts = 'query ($id: ID!) { payment(id: $id) { payoutAttempts { paidAmount { amount } } } }';
    expect(await workspace.ask(attempts, { id })).toEqual({ payoutAttempts: [{ paidAmount: { amount: '40.00' } }] });
  });

  it('nothing of another worker or of another workspace, and nothing under an invalid id', async () => {
    const [contract, other] = [await workspace.contract('sandbox:iban'), await workspace.contract('sandbox:iban')];
    const id = await workspace.timesheet(contract, '100');
    expect((await workspace.deduct(id, '1')).errors).toBeUndefined();
    const mine = await one(workerOf(contract), id);
    expect(mine).toMatchObject({ id });
    const { nextCursor } = { ...(await page(workerOf(contract), { limit: 1 })) };
    expect(nextCursor).toBeNull();
    for (const stranger of [workerOf(other), worker(newId(), contract.workerId)]) {
      expect(await one(stranger, id)).toBeNull();
      expect(await page(stranger)).toEqual({ nodes: [], nextCursor: null });
    }
    for (const none of ['', 'x', newId()]) expect(await one(workerOf(contract), none)).toBeNull();
  });

  it('no page by the cursor of another worker', async () => {
    const [contract, other] = [await workspace.contract(), await workspace.contract()];
    for (const amount of ['1', '2']) await workspace.timesheet(contract, amount);
    const { nextCursor: cursor } = await page(workerOf(contract), { limit: 1 });
    expect(cursor).not.toBeNull();
    const { errors } = await workspace.send(LIST, { limit: 1, cursor }, workerOf(other));
    expect(errors?.[0]?.extensions.code).toBe('INVALID_REQUEST');
  });

  it('nothing that is not theirs alone, whole documents at a time', async () => {
    const contract = await workspace.contract('sandbox:iban');
    const id = await workspace.timesheet(contract, '100');
    const documents = [
      `{ payment(id: "${id}") { id } }`,
      '{ payments(limit: 1) { nodes { id } } }',
      '{ payees(limit: 1) { nodes { id } } }',
      '{ balances { available { amount } } }',
      '{ upcoming { weeks { payments } } }',
      `{ myPayment(id: "${id}") { id } payment(id: "${id}") { id } }`,
      `{ _entities(representations: [{ __typename: "Payment", id: "${id}" }]) { ... on Payment { id } } }`,
      `{ _entities(representations: [{ __typename: "Payee", id: "${newId()}" }]) { ... on Payee { id } } }`,
      `mutation { retryPayment(paymentId: "${id}", expectedVersion: "x") { id } }`,
      `mutation { cancelPayment(paymentId: "${id}") { id } }`,
      `mutation { registerPayee(workerId: "${contract.workerId}", payoutMethod: wise, destination: "sandbox:x") { id } }`,
    ];
    for (const document of documents) {
      const { errors } = await workspace.send(document, {}, workerOf(contract));
      expect([document, errors?.map(({ extensions }) => extensions.code)]).toEqual([document, ['INSUFFICIENT_SCOPE']]);
    }
  });
});

describe('the next step is up to', () => {
  it('the worker while details are missing or not accepted, and staff while they are verified', async () => {
    const contract = await workspace.contract();
    const id = await workspace.timesheet(contract, '10', { day: '2027-07-01' });
    expect(await obstacleOf(contract, id)).toBe('payee_missing');
    const payee = await workspace.payee(contract.workerId);
    expect(await obstacleOf(contract, id)).toBe('payee_unverified');
    await workspace.send('mutation ($id: ID!) { rejectPayee(id: $id, reason: "r") { id } }', { id: payee });
    expect(await obstacleOf(contract, id)).toBe('payee_rejected');
  });

  it('the business for its balance and its verification, told only once the payment has failed', async () => {
    const contract = await workspace.contract('sandbox:iban');
    const id = await workspace.milestone(contract, '10');
    expect(await obstacleOf(contract, id)).toBeNull();
    await scene.round();
    expect(await workspace.payment(id)).toMatchObject({ failureReason: 'insufficient_funds' });
    const shown = await one(workerOf(contract), id);
    expect(shown).toMatchObject({ status: 'failed', obstacle: 'business' });
    expect(JSON.stringify(shown)).not.toContain('fund');
    await workspace.business('rejected');
    const second = await workspace.milestone(contract, '10');
    await scene.round();
    expect(await workspace.payment(second)).toMatchObject({ failureReason: 'business_unverified' });
    expect(await obstacleOf(contract, second)).toBe('business');
  });

  it('the business for a payment that it pays by hand, or that failed for details that are right now', async () => {
    const contract = await workspace.contract();
    const byHand = await workspace.timesheet(contract, '10', { autoPay: false });
    const failed = await workspace.milestone(contract, '10');
    await scene.round();
    expect(await obstacleOf(contract, failed)).toBe('payee_missing');
    await workspace.verify(await workspace.payee(contract.workerId));
    expect(await obstacleOf(contract, failed)).toBe('business');
    expect(await obstacleOf(contract, byHand)).toBe('business');
  });

  it('the worker where the provider declined, until the details have changed', async () => {
    const contract = await workspace.contract('sandbox:declines');
    await workspace.fund('100');
    const id = await workspace.milestone(contract, '10');
    await scene.round();
    await scene.passTwoHours();
    await scene.round();
    expect(await workspace.payment(id)).toMatchObject({ failureReason: 'provider_declined' });
    expect(await obstacleOf(contract, id)).toBe('provider_declined');
    await scene.sql(sql`update payee set updated_at = clock_timestamp() where worker_id = ${contract.workerId}`);
    expect(await obstacleOf(contract, id)).toBe('business');
  });

  it('no one where deductions took all of it', async () => {
    const contract = await workspace.contract();
    const id = await workspace.timesheet(contract, '10', { day: '2027-07-01' });
    expect((await workspace.deduct(id, '10')).errors).toBeUndefined();
    expect(await obstacleOf(contract, id)).toBeNull();
  });
});
