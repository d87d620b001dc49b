import { newId, type Origin } from '@payroll/kernel';
import { sql } from 'kysely';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { person } from './support/person.js';
import { Scene, type GraphqlAnswer, codeOf } from './support/scene.js';
import { TestWorkspace } from './support/test-workspace.js';

let workspace: TestWorkspace;
let admin: Origin;
const scene = await Scene.open('payments_by_hand');
beforeEach(async () => {
  workspace = await TestWorkspace.open(scene);
  admin = person(workspace.id, 'admin');
});
afterAll(() => scene[Symbol.asyncDispose]());

type Act = 'retryPayment' | 'initiatePayout';

const as = async (origin: Origin, query: string, variables: object = {}) =>
  await workspace.send(query, variables, origin);

async function act(what: Act, id: string, by = admin, operationId = newId(), version?: string): Promise<GraphqlAnswer> {
  const seen = version ?? (await workspace.payment(id)).updatedAt;
  const query = `mutation ($id: ID!, $seen: String!, $operationId: ID) {
    ${what}(paymentId: $id, expectedVersion: $seen, operationId: $operationId) { id status failureReason } }`;
  return await as(by, query, { id, seen, operationId });
}

const auditOf = (id: string) =>
  scene.sql(sql<{ action: string; principalId: string; actorKind: string }>`
    select action, principal_id as "principalId", actor_kind as "actorKind" from audit_entry where subject_id = ${id}`);

async function failed(): Promise<string> {
  const id = await workspace.milestone(await workspace.contract('sandbox:iban'), '100.00');
  await scene.round();
  expect(await workspace.payment(id)).toMatchObject({ status: 'failed', failureReason: 'insufficient_funds' });
  return id;
}

describe('retrying a failed payment', () => {
  it('a repeated retry of a payment that failed for lack of funds pays it once when funded', async () => {
    const id = await failed();
    await workspace.fund('100.00');
    const [operationId, seen] = [newId(), (await workspace.payment(id)).updatedAt];
    const answers = await Promise.all([1, 2].map(() => act('retryPayment', id, admin, operationId, seen)));
    expect(answers.map(({ data }) => data)).toEqual([answers[0]!.data, answers[0]!.data]);
    expect(answers[0]!.data).toEqual({ retryPayment: { id, status: 'pending', failureReason: null } });
    await scene.round();
    expect(await workspace.payment(id)).toMatchObject({ status: 'completed' });
    const replay = await act('retryPayment', id, admin, operationId, seen);
    expect(replay.data).toEqual(answers[0]!.data);
    expect(await workspace.payment(id)).toMatchObject({ status: 'completed' });
    expect(await workspace.paidOut(id)).toEqual(['100.00']);
    const retries = (await auditOf(id)).filter(({ action }) => action === 'payment.retried');
    expect(retries).toMatchObject([{ principalId: admin.actor.principalId, actorKind: 'person' }]);
  });

  it('requires a failed payment in the version that was seen', async () => {
    const id = await failed();
    expect(codeOf(await act('retryPayment', id, admin, newId(), '2027-01-01T00:00:00.000000Z'))).toBe(
      'STALE_RESOURCE_VERSION',
    );
    await act('retryPayment', id);
    expect(codeOf(await act('retryPayment', id))).toBe('INVALID_STATE');
  });
});

describe('the obstacle of a payment', () => {
  const obstacle = async (id: string): Promise<unknown> =>
    (await as(admin, 'query ($id: ID!) { payment(id: $id) { obstacle } }', { id })).data?.['payment'];

  it('shows at each step why a payout would fail, until it can be paid', async () => {
    const contract = await workspace.contract();
    const id = await workspace.timesheet(contract, '10.00', { autoPay: false });
    const steps: [string, () => Promise<unknown>][] = [
      ['payee_missing', () => workspace.payee(contract.workerId)],
      ['payee_unverified', async () => workspace.verify(await payeeOf(contract.workerId))],
      ['insufficient_funds', () => workspace.fund('10.00')],
    ];
    for (const [reason, mend] of steps) {
      expect(await obstacle(id)).toEqual({ obstacle: reason });
      expect((await act('initiatePayout', id)).data).toMatchObject({ initiatePayout: { failureReason: reason } });
      expect(await obstacle(id)).toEqual({ obstacle: reason });
      await mend();
      await act('retryPayment', id);
    }
    expect(await obstacle(id)).toEqual({ obstacle: null });
    await workspace.business('pending');
    expect(await obstacle(id)).toEqual({ obstacle: 'business_unverified' });
    await workspace.business('verified');
    expect((await act('initiatePayout', id)).data).toMatchObject({ initiatePayout: { status: 'processing' } });
    expect(await obstacle(id)).toEqual({ obstacle: null });
  });

  const payeeOf = async (workerId: string): Promise<string> => {
    const query = 'query ($id: ID!) { payees(workerId: $id) { nodes { id } } }';
    const { data } = await as(admin, query, { id: workerId });
    return (data!['payees'] as { nodes: { id: string }[] }).nodes[0]!.id;
  };
});

describe('paying a payment by hand', () => {
  it('pays a payment without automatic payment, once', async () => {
    await workspace.fund('10.00');
    const id = await workspace.timesheet(await workspace.contract('sandbox:iban'), '10.00', { autoPay: false });
    await scene.round();
    expect(await workspace.payment(id)).toMatchObject({ status: 'pending' });
    const [operationId, seen] = [newId(), (await workspace.payment(id)).updatedAt];
    const first = await act('initiatePayout', id, admin, operationId, seen);
    expect(first.data).toMatchObject({ initiatePayout: { status: 'processing' } });
    await scene.round();
    expect((await act('initiatePayout', id, admin, operationId, seen)).data).toEqual(first.data);
    expect(await workspace.payment(id)).toMatchObject({ status: 'completed' });
    expect(await workspace.paidOut(id)).toEqual(['10.00']);
  });

  it('fails with the reason if it cannot be paid', async () => {
    const id = await workspace.timesheet(await workspace.contract(), '10.00', { autoPay: false });
    const answer = await act('initiatePayout', id);
    expect(answer.data).toMatchObject({ initiatePayout: { status: 'failed', failureReason: 'payee_missing' } });
  });
});

describe.each(['retryPayment', 'initiatePayout'] as const)('%s', (what) => {
  const refused = async (by: Origin): Promise<unknown> => {
    const id = await failed();
    const code = codeOf(await act(what, id, by));
    expect(await workspace.payment(id)).toMatchObject({ status: 'failed' });
    return code;
  };

  it.each(['member', 'viewer'] as const)('is refused to a %s', async (role) => {
    expect(await refused(person(workspace.id, role))).toBe('INSUFFICIENT_SCOPE');
  });

  it('is refused to staff, who have to be two, and to an admin’s API key', async () => {
    expect(await refused(workspace.origin)).toBe('INSUFFICIENT_SCOPE');
    expect(await refused({ ...admin, actor: { ...admin.actor, kind: 'api_key' } as Origin['actor'] })).toBe(
      'INSUFFICIENT_SCOPE',
    );
  });

  it('finds no payment of another workspace', async () => {
    expect(await refused(person(newId(), 'admin'))).toBe('NOT_FOUND');
  });
});
