import { newId, type Origin } from '@payroll/kernel';
import { sql } from 'kysely';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { person } from './support/person.js';
import { Scene, staff, type GraphqlAnswer } from './support/scene.js';
import { TestWorkspace } from './support/test-workspace.js';

let workspace: TestWorkspace;
const scene = await Scene.open('payments_payees');
beforeEach(async () => {
  workspace = await TestWorkspace.open(scene);
});
afterAll(() => scene[Symbol.asyncDispose]());

const FIELDS = 'id workerId payoutMethod destinationEnding verificationStatus rejectionReason worker { id }';
const verify = (id: string) => workspace.verify(id);
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

it('starts unverified, is decided by a second person, and again after a change', async () => {
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
  await change(id, 'somebody@example.com');
  expect(await show(id)).toMatchObject({ verificationStatus: 'unverified' });
});

it('details that were changed since the rejected ones were looked at are not rejected', async () => {
  const id = await workspace.payee(newId());
  const version = await workspace.versionOf(id);
  await change(id, 'corrected@example.com');
  const query = `mutation ($id: ID!, $version: String) {
    rejectPayee(id: $id, reason: "not an account", expectedVersion: $version) { verificationStatus } }`;
  const late = await workspace.send(query, { id, version });
  expect(late.errors?.[0]?.extensions.code).toBe('STALE_RESOURCE_VERSION');
  expect(await show(id)).toMatchObject({ verificationStatus: 'unverified' });
  await workspace.ask(query, { id, version: await workspace.versionOf(id) });
  expect(await show(id)).toMatchObject({ verificationStatus: 'rejected' });
});

it('refuses to verify or reject a payee that was already verified', async () => {
  const id = await workspace.payee(newId());
  await verify(id);
  for (const answer of [await verify(id), await reject(id)]) {
    expect(answer.errors?.[0]?.extensions.code).toBe('INVALID_STATE');
  }
});

describe('the second person', () => {
  const code = ({ errors }: GraphqlAnswer): string | undefined => errors?.[0]?.extensions.code;

  it('is not the one who registered or changed it, with any token', async () => {
    const id = await workspace.payee(newId());
    const again = staff(workspace.id, { person: 'Fay@example.com' });
    expect(code(await workspace.verify(id, {}, workspace.origin))).toBe('INSUFFICIENT_SCOPE');
    expect(code(await workspace.verify(id, {}, again))).toBe('INSUFFICIENT_SCOPE');
    const decided = { verificationStatus: 'verified', changedBy: 'fay@example.com', verifiedBy: 'finn@example.com' };
    expect((await workspace.verify(id)).data).toEqual({ verifyPayee: decided });
    await change(id, 'somebody@example.com');
    expect(code(await workspace.verify(id, {}, workspace.origin))).toBe('INSUFFICIENT_SCOPE');
    expect(await show(id)).toMatchObject({ verificationStatus: 'unverified' });
  });

  it('verifies the version they saw, not a later change', async () => {
    const id = await workspace.payee(newId());
    const seen = await workspace.versionOf(id);
    await change(id, 'somebody@example.com');
    expect(code(await workspace.verify(id, { version: seen }))).toBe('STALE_RESOURCE_VERSION');
    expect(await show(id)).toMatchObject({ verificationStatus: 'unverified' });
  });

  it('must be of finance: other teams and the application are refused', async () => {
    const id = await workspace.payee(newId());
    const { actor, ...request } = workspace.second;
    const application: Origin = { ...request, actor: { ...actor, kind: 'service' } };
    for (const other of [staff(workspace.id, { team: 'operations', person: 'olga@example.com' }), application]) {
      expect(code(await workspace.verify(id, {}, other))).toBe('INSUFFICIENT_SCOPE');
    }
  });

  it('is not the admin who entered it, even if finance employs them too', async () => {
    const admin = person(workspace.id, 'admin', 'finn@example.com');
    const query = `mutation ($workerId: ID!) {
      registerPayee(workerId: $workerId, payoutMethod: wise, destination: "sandbox:x") { id } }`;
    const registered = await workspace.send(query, { workerId: newId() }, admin);
    const { id } = registered.data!['registerPayee'] as { id: string };
    expect(code(await workspace.verify(id))).toBe('INSUFFICIENT_SCOPE');
    const another = staff(workspace.id, { person: 'fay@example.com' });
    expect((await workspace.verify(id, {}, another)).data).toMatchObject({
      verifyPayee: { changedBy: 'finn@example.com', verifiedBy: 'fay@example.com' },
    });
  });

  it('types the whole destination as the worker gave it', async () => {
    const id = await workspace.payee(newId(), 'DE02120300000000202051');
    for (const destination of ['2051', 'DE02120300000000202052', '']) {
      const { errors } = await workspace.verify(id, { destination });
      const details = [{ path: 'destination', code: 'differs' }];
      expect(errors?.[0]?.extensions).toMatchObject({ code: 'VALIDATION_FAILED', details });
      expect(JSON.stringify(errors)).not.toContain('DE02');
    }
    expect(await show(id)).toMatchObject({ verificationStatus: 'unverified' });
    expect((await workspace.verify(id, { destination: 'DE02 1203 0000 0000 2020 51' })).errors).toBeUndefined();
  });

  it('is identified in Postgres by the same kind of name', async () => {
    const id = await workspace.payee(newId());
    const changed = sql`update payee set changed_by = 'member:1' where id = ${id}`;
    await expect(scene.sql(changed)).rejects.toThrow('payee_person_check');
  });

  it('is required by Postgres as well', async () => {
    const id = await workspace.payee(newId());
    const verified = sql`update payee set verification_status = 'verified', verified_by = 'Fay@Example.com' where id = ${id}`;
    await expect(scene.sql(verified)).rejects.toThrow('payee_second_person_check');
  });
});

it('a worker has one payee', async () => {
  const workerId = newId();
  await workspace.payee(workerId);
  const answer = await workspace.send(
    `mutation ($workerId: ID!) { registerPayee(workerId: $workerId, payoutMethod: other, destination: "sandbox:x") { id } }`,
    { workerId },
  );
  expect(answer.errors?.[0]?.extensions).toMatchObject({ details: [{ path: 'workerId', code: 'taken' }] });
});

it('belongs to a worker of the workspace, confirmed by contracts', async () => {
  const workerId = newId();
  scene.strangers.add(workerId);
  const answer = await workspace.send(
    `mutation ($workerId: ID!) { registerPayee(workerId: $workerId, payoutMethod: other, destination: "sandbox:x") { id } }`,
    { workerId },
  );
  expect(answer.errors?.[0]?.extensions).toMatchObject({ details: [{ path: 'workerId', code: 'unknown' }] });
  expect(await workspace.ask('query ($w: ID) { payees(workerId: $w) { nodes { id } } }', { w: workerId })).toEqual({
    nodes: [],
  });
});

it('can be filtered by verification and by worker, and polled by its changes', async () => {
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

it('cannot be read or changed from another workspace, even as an entity', async () => {
  const id = await workspace.payee(newId());
  const other = await TestWorkspace.open(scene);
  expect(await other.ask('query ($id: ID!) { payee(id: $id) { id } }', { id })).toBeNull();
  const answer = await other.verify(id);
  expect(answer.errors?.[0]?.extensions.code).toBe('NOT_FOUND');
  const entities = 'query ($r: [_Any!]!) { _entities(representations: $r) { ... on Payee { id } } }';
  expect(await other.ask(entities, { r: [{ __typename: 'Payee', id }] })).toEqual([null]);
});

it("no answer and no audit entry contains a payee's destination", async () => {
  const secret = '20201555555555';
  const id = await workspace.payee(newId(), `GB33BUKB${secret}`);
  const answers = [await change(id, secret), await verify(id), await show(id)];
  const audit = await scene.sql(sql`select * from audit_entry where workspace_id = ${workspace.id}`);
  expect(audit.length).toBeGreaterThan(2);
  expect(JSON.stringify([answers, audit])).not.toContain(secret);
});

const APPLICATION_ONLY = {
  registerPayee: `registerPayee(workerId: "${newId()}", payoutMethod: wise, destination: "sandbox:x") { id }`,
  changePayee: `changePayee(id: "${newId()}", payoutMethod: wise, destination: "sandbox:x") { id }`,
  verifyPayee: `verifyPayee(id: "${newId()}", expectedVersion: "x", destination: "sandbox:x") { id }`,
  rejectPayee: `rejectPayee(id: "${newId()}", reason: "x") { id }`,
  requestFunding: 'requestFunding(amount: "1", currency: "EUR", reference: "x", bankTransactionId: "1") { id }',
  requestPayout: `requestPayout(paymentId: "${newId()}") { id }`,
  requestRetry: `requestRetry(paymentId: "${newId()}") { id }`,
  countersignInstruction: `countersignInstruction(id: "${newId()}") { id }`,
  declineInstruction: `declineInstruction(id: "${newId()}") { id }`,
  withdrawInstruction: `withdrawInstruction(id: "${newId()}") { id }`,
  cancelPayment: `cancelPayment(paymentId: "${newId()}") { id }`,
  addDeduction: `addDeduction(paymentId: "${newId()}", name: "x", amount: "1") { id }`,
  removeDeduction: `removeDeduction(paymentId: "${newId()}", deductionId: "${newId()}") { id }`,
};

it.each(Object.entries(APPLICATION_ONLY))('%s is refused to an API key, even of an admin', async (_name, field) => {
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
])('%s requires the scope read', async (query) => {
  const answer = await workspace.send(query, {}, staff(workspace.id, { scopes: [] }));
  expect(answer.errors?.[0]?.extensions.code).toBe('INSUFFICIENT_SCOPE');
});
