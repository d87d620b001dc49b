import { sql } from 'kysely';
import { newId } from '@payroll/kernel';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { Scene, type GraphqlAnswer, codeOf } from './support/scene.js';
import { person } from './support/person.js';
import { LETTER, TestWorkspace } from './support/test-workspace.js';

let workspace: TestWorkspace;
const scene = await Scene.open('payments_outcomes');
beforeEach(async () => {
  workspace = await TestWorkspace.open(scene);
  await workspace.fund('100');
});
afterAll(() => scene[Symbol.asyncDispose]());

const EUR_10 = { amount: '10.00', currency: 'EUR' };

const idIn = ({ data }: GraphqlAnswer): string => (data!['requestOutcome'] as { id: string }).id;

const LATER = '2999-01-01T00:00:00.000000Z';

/** The lost order arrives late and is settled. */
async function arrivesAfterAll(id: string): Promise<void> {
  await scene.sandbox.submit({ ...(await workspace.order(id)), validUntil: LATER });
}

/** A payment whose order the provider has acknowledged and no longer knows. */
async function forgotten(): Promise<string> {
  const id = await workspace.milestone(await workspace.contract('sandbox:stays-under-way'), '10.00');
  await scene.round();
  scene.sandbox.forget(await workspace.keyOf(id));
  await scene.passTwoHours();
  await scene.round();
  expect(await workspace.payment(id)).toMatchObject({ payoutAttempts: [{ status: 'submitted', alarm: 'not_found' }] });
  return id;
}

const auditedOf = (id: string): Promise<{ change: object }[]> =>
  scene.sql(sql<{ change: object }>`select change from audit_entry
    where subject_id = ${id} and action in ('payout.settled', 'payout.declined')`);

it('two people record "was paid": the payment is completed', async () => {
  const id = await forgotten();
  const requested = await workspace.requestOutcome(id, true);
  expect(requested.data).toEqual({
    requestOutcome: {
      ...{ id: idIn(requested), kind: 'was_paid', reason: LETTER, paymentId: id },
      amount: { amount: '10.00' },
    },
  });
  expect((await workspace.payment(id)).status).toBe('processing');
  expect(codeOf(await workspace.countersign(idIn(requested), workspace.origin))).toBe('INSUFFICIENT_SCOPE');
  await workspace.countersign(idIn(requested));
  expect(await workspace.payment(id)).toMatchObject({
    ...{ status: 'completed', payoutAttempts: [{ number: 1, status: 'settled', alarm: null }] },
  });
  expect(await workspace.accounts()).toMatchObject({ 'EUR/in_flight': '0.00', 'EUR/settled': '10.00' });
  expect(await auditedOf(id)).toEqual([
    { change: { attempt: 1, instruction: idIn(requested), alarm: 'not_found', amount: EUR_10, reason: LETTER } },
  ]);
});

it('two people record "never paid": the payment fails, and a retry has a new key', async () => {
  const id = await forgotten();
  await workspace.countersign(idIn(await workspace.requestOutcome(id, false)));
  expect(await workspace.payment(id)).toMatchObject({ status: 'failed', failureReason: 'provider_declined' });
  expect(await workspace.accounts()).toMatchObject({ 'EUR/available': '100.00', 'EUR/in_flight': '0.00' });
  await workspace.act('requestRetry', id);
  await scene.round();
  expect(await workspace.payment(id)).toMatchObject({ payoutAttempts: [{ status: 'declined' }, { number: 2 }] });
});

describe('a provider that knows the order again', () => {
  it('its answer counts, and the open request can no longer be countersigned', async () => {
    const id = await forgotten();
    const requested = idIn(await workspace.requestOutcome(id, false));
    await arrivesAfterAll(id);
    await scene.passTwoHours();
    await scene.round();
    expect(await workspace.payment(id)).toMatchObject({ payoutAttempts: [{ alarm: null }] });
    expect(codeOf(await workspace.countersign(requested))).toBe('INVALID_STATE');
    expect((await workspace.payment(id)).status).toBe('completed');
  });

  it('is queried at the countersignature: a settled order refuses "never paid"', async () => {
    const id = await forgotten();
    const requested = idIn(await workspace.requestOutcome(id, false));
    await arrivesAfterAll(id);
    const answer = await workspace.countersign(requested);
    expect(answer.errors).toMatchObject([
      { message: expect.stringContaining('settled') as string, extensions: { code: 'INVALID_STATE' } },
    ]);
    expect((await workspace.payment(id)).status).toBe('processing');
  });

  it('a declined order refuses "was paid"', async () => {
    const id = await forgotten();
    const requested = idIn(await workspace.requestOutcome(id, true));
    await scene.sandbox.cancel(await workspace.order(id));
    expect(codeOf(await workspace.countersign(requested))).toBe('INVALID_STATE');
    expect((await workspace.payment(id)).status).toBe('processing');
  });

  it('if it cannot be reached, the countersignature fails and can be repeated', async () => {
    const id = await forgotten();
    const requested = idIn(await workspace.requestOutcome(id, false));
    scene.sandbox.faults.isDown = true;
    try {
      expect(codeOf(await workspace.countersign(requested))).toBe('SERVICE_UNAVAILABLE');
    } finally {
      scene.sandbox.faults.isDown = false;
    }
    expect(await workspace.payment(id)).toMatchObject({
      status: 'processing',
      payoutAttempts: [{ alarm: 'not_found' }],
    });
    expect((await workspace.countersign(requested)).errors).toBeUndefined();
  });
});

describe('a key recorded as never paid', () => {
  it('is permanently declined at the provider: an order that arrives later pays nothing', async () => {
    const id = await forgotten();
    const order = await workspace.order(id);
    await workspace.countersign(idIn(await workspace.requestOutcome(id, false)));
    const late = await scene.sandbox.submit({ ...order, validUntil: LATER });
    expect(late.status).toBe('declined');
    expect(await workspace.paidOut(id)).toEqual([]);
  });

  it('is cancelled at the provider only for a person who may countersign', async () => {
    const id = await forgotten();
    const requested = idIn(await workspace.requestOutcome(id, false));
    expect(codeOf(await workspace.countersign(requested, workspace.origin))).toBe('INSUFFICIENT_SCOPE');
    expect(codeOf(await workspace.countersign(requested, person(workspace.id, 'admin')))).toBe('INSUFFICIENT_SCOPE');
    expect(scene.sandbox.booksOn(await workspace.keyOf(id))).toMatchObject([{ state: 'lost' }]);
  });

  it('is decided once when the second person repeats the request', async () => {
    const id = await forgotten();
    const variables = { id: idIn(await workspace.requestOutcome(id, false)), operationId: newId() };
    const repeat = `mutation ($id: ID!, $operationId: ID) {
      countersignInstruction(id: $id, operationId: $operationId) { status } }`;
    const first = await workspace.send(repeat, variables, workspace.second);
    expect(first.data).toEqual({ countersignInstruction: { status: 'countersigned' } });
    expect((await workspace.send(repeat, variables, workspace.second)).data).toEqual(first.data);
  });
});

it('requesting an outcome requires an alarm and a reason', async () => {
  const waiting = await workspace.milestone(await workspace.contract('sandbox:stays-under-way'), '10.00');
  expect(codeOf(await workspace.requestOutcome(waiting, true))).toBe('INVALID_STATE');
  await scene.round();
  expect(codeOf(await workspace.requestOutcome(waiting, true))).toBe('INVALID_STATE');
  expect(codeOf(await workspace.requestOutcome(await forgotten(), true, ' '))).toBe('VALIDATION_FAILED');
});
