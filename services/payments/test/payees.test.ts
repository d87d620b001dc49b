import { newId, type Origin } from '@payroll/kernel';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { Scene, staff } from './support/scene.js';
import { TestWorkspace } from './support/test-workspace.js';

let scene: Scene;
let workspace: TestWorkspace;
beforeAll(async () => {
  scene = await Scene.open('payments_payees');
});
beforeEach(async () => {
  workspace = await TestWorkspace.open(scene);
});
afterAll(() => scene?.[Symbol.asyncDispose]());

const FIELDS = 'id workerId payoutMethod destinationEnding verificationStatus rejectionReason worker { id }';
const verify = (id: string) => workspace.send(`mutation ($id: ID!) { verifyPayee(id: $id) { ${FIELDS} } }`, { id });
const reject = (id: string, reason = 'name differs') =>
  workspace.send(`mutation ($id: ID!, $reason: String!) { rejectPayee(id: $id, reason: $reason) { ${FIELDS} } }`, {
    id,
    reason,
  });
const change = (id: string, destination = 'ada@example.com') =>
  workspace.send(
    `mutation ($id: ID!, $destination: String!) {
      changePayee(id: $id, payoutMethod: payoneer, destination: $destination) { ${FIELDS} } }`,
    { id, destination },
  );
const show = (id: string) => workspace.ask<object | null>(`query ($id: ID!) { payee(id: $id) { ${FIELDS} } }`, { id });

it('begins unverified, is decided by the application, and decided anew when it changes', async () => {
  const workerId = newId();
  const id = await workspace.payee(workerId, 'DE02120300000000202051');
  const payee = { id, workerId, worker: { id: workerId }, payoutMethod: 'bank_transfer', destinationEnding: '2051' };
  expect(await show(id)).toEqual({ ...payee, verificationStatus: 'unverified', rejectionReason: null });
  await reject(id);
  expect(await show(id)).toMatchObject({ verificationStatus: 'rejected', rejectionReason: 'name differs' });
  await change(id);
  expect(await show(id)).toEqual({
    ...payee,
    payoutMethod: 'payoneer',
    destinationEnding: '.com',
    verificationStatus: 'unverified',
    rejectionReason: null,
  });
  await verify(id);
  expect(await show(id)).toMatchObject({ verificationStatus: 'verified' });
  await change(id, 'elsewhere');
  expect(await show(id)).toMatchObject({ verificationStatus: 'unverified' });
});

it('is decided once', async () => {
  const id = await workspace.payee(newId());
  await verify(id);
  for (const answer of [await verify(id), await reject(id)]) {
    expect(answer.errors?.[0]?.extensions.code).toBe('INVALID_STATE');
  }
});

it('is one per worker', async () => {
  const workerId = newId();
  await workspace.payee(workerId);
  const answer = await workspace.send(
    `mutation ($workerId: ID!) { registerPayee(workerId: $workerId, payoutMethod: other, destination: "x") { id } }`,
    { workerId },
  );
  expect(answer.errors?.[0]?.extensions).toMatchObject({ details: [{ path: 'workerId', code: 'taken' }] });
});

it('is listed by verification and by worker, and followed by its changes', async () => {
  const ids: string[] = [];
  for (let each = 0; each < 4; each += 1) ids.push(await workspace.payee(newId()));
  await verify(ids[1]!);
  const list = async (filters: string): Promise<string[]> =>
    (await workspace.ask<{ nodes: { id: string }[] }>(`{ payees(${filters}) { nodes { id } } }`)).nodes.map(
      ({ id }) => id,
    );
  expect(await list('limit: 10')).toEqual(ids.toReversed());
  expect(await list('verificationStatus: verified')).toEqual([ids[1]]);
  expect(await list('updatedSince: "1970-01-01T00:00:00Z"')).toEqual([ids[0], ids[2], ids[3], ids[1]]);
  expect(await list(`workerId: "${newId()}"`)).toEqual([]);
});

it('is of its workspace: another one neither sees nor changes it, also as an entity', async () => {
  const id = await workspace.payee(newId());
  const other = await TestWorkspace.open(scene);
  expect(await other.ask('query ($id: ID!) { payee(id: $id) { id } }', { id })).toBeNull();
  const answer = await other.send('mutation ($id: ID!) { verifyPayee(id: $id) { id } }', { id });
  expect(answer.errors?.[0]?.extensions.code).toBe('NOT_FOUND');
  const entities = 'query ($r: [_Any!]!) { _entities(representations: $r) { ... on Payee { id } } }';
  expect(await other.ask(entities, { r: [{ __typename: 'Payee', id }] })).toEqual([null]);
});

it('keeps its destination to itself: no answer and no audit entry carries it', async () => {
  const secret = 'GB33BUKB20201555555555';
  const id = await workspace.payee(newId(), secret);
  const answers = [await change(id, secret), await verify(id), await show(id)];
  const audit = await scene.sql(sql`select * from audit_entry where workspace_id = ${workspace.id}`);
  expect(audit.length).toBeGreaterThan(2);
  expect(JSON.stringify([answers, audit])).not.toContain(secret);
});

const APPLICATION_ONLY = {
  registerPayee: `registerPayee(workerId: "${newId()}", payoutMethod: wise, destination: "x") { id }`,
  changePayee: `changePayee(id: "${newId()}", payoutMethod: wise, destination: "x") { id }`,
  verifyPayee: `verifyPayee(id: "${newId()}") { id }`,
  rejectPayee: `rejectPayee(id: "${newId()}", reason: "x") { id }`,
  requestFunding: 'requestFunding(amount: "1", currency: "EUR", reference: "x") { id }',
  requestPayout: `requestPayout(paymentId: "${newId()}") { id }`,
  requestRetry: `requestRetry(paymentId: "${newId()}") { id }`,
  countersignInstruction: `countersignInstruction(id: "${newId()}") { id }`,
  declineInstruction: `declineInstruction(id: "${newId()}") { id }`,
  withdrawInstruction: `withdrawInstruction(id: "${newId()}") { id }`,
  cancelPayment: `cancelPayment(paymentId: "${newId()}") { id }`,
  addDeduction: `addDeduction(paymentId: "${newId()}", name: "x", amount: "1") { id }`,
  removeDeduction: `removeDeduction(paymentId: "${newId()}", deductionId: "${newId()}") { id }`,
};

it.each(Object.entries(APPLICATION_ONLY))('%s is refused to an API key, also an admin’s', async (_name, field) => {
  const { actor, ...request } = workspace.origin;
  const key: Origin = { ...request, actor: { ...actor, kind: 'api_key', role: 'admin' } };
  const answer = await workspace.send(`mutation { ${field} }`, {}, key);
  expect(answer.errors?.[0]?.extensions.code).toBe('INSUFFICIENT_SCOPE');
});

it.each([
  '{ payees { hasMore } }',
  `{ payee(id: "${newId()}") { id } }`,
  '{ balances { asOf } }',
  '{ ledgerAccounts { account } }',
  '{ ledgerEntries { hasMore } }',
  '{ instructions { hasMore } }',
  `{ instruction(id: "${newId()}") { id } }`,
  '{ payments { hasMore } }',
])('%s needs the scope read', async (query) => {
  const answer = await workspace.send(query, {}, staff(workspace.id, { scopes: [] }));
  expect(answer.errors?.[0]?.extensions.code).toBe('INSUFFICIENT_SCOPE');
});
