import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { PayoutProvider } from '../src/payouts/provider.js';
import { Scene, type GraphqlAnswer } from './support/scene.js';
import { TestWorkspace } from './support/test-workspace.js';

let scene: Scene;
let workspace: TestWorkspace;
beforeAll(async () => {
  scene = await Scene.open('payments_outcomes');
});
beforeEach(async () => {
  workspace = await TestWorkspace.open(scene);
  await workspace.fund('100');
});
afterAll(() => scene?.[Symbol.asyncDispose]());

const REQUEST = `mutation ($id: ID!, $wasPaid: Boolean!, $reason: String!) {
  requestOutcome(paymentId: $id, wasPaid: $wasPaid, reason: $reason) { id kind reason paymentId amount { amount } } }`;
const COUNTERSIGN = 'mutation ($id: ID!) { countersignInstruction(id: $id) { status } }';
const REASON = 'Their letter of 3 June';

const request = (id: string, wasPaid: boolean, reason = REASON): Promise<GraphqlAnswer> =>
  workspace.send(REQUEST, { id, wasPaid, reason });
const codeOf = ({ errors }: GraphqlAnswer): string | undefined => errors?.[0]?.extensions.code;
const idIn = ({ data }: GraphqlAnswer): string => (data!['requestOutcome'] as { id: string }).id;
const countersign = (id: string, by = workspace.second): Promise<GraphqlAnswer> =>
  workspace.send(COUNTERSIGN, { id }, by);

/** A payment whose order the provider has acknowledged and no longer knows. */
async function forgotten(): Promise<string> {
  const id = await workspace.milestone(await workspace.contract('sandbox:stays-under-way'), '10.00');
  const unknown: PayoutProvider = { submit: (order) => scene.sandbox.submit(order), lookUp: async () => null };
  await scene.round(unknown);
  await scene.passTwoHours();
  await scene.round(unknown);
  expect(await workspace.payment(id)).toMatchObject({ payoutAttempts: [{ status: 'submitted', alarm: 'not_found' }] });
  return id;
}

const auditedOf = (id: string): Promise<{ change: object }[]> =>
  scene.sql(sql<{ change: object }>`select change from audit_entry
    where subject_id = ${id} and action in ('payout.settled', 'payout.declined')`);

it('what was paid after all completes the payment, once two people say so', async () => {
  const id = await forgotten();
  const requested = await request(id, true);
  expect(requested.data).toEqual({
    requestOutcome: {
      ...{ id: idIn(requested), kind: 'was_paid', reason: REASON, paymentId: id },
      amount: { amount: '10.00' },
    },
  });
  expect((await workspace.payment(id)).status).toBe('processing');
  expect(codeOf(await countersign(idIn(requested), workspace.origin))).toBe('INSUFFICIENT_SCOPE');
  await countersign(idIn(requested));
  expect(await workspace.payment(id)).toMatchObject({
    ...{ status: 'completed', payoutAttempts: [{ number: 1, status: 'settled', alarm: null }] },
  });
  expect(await workspace.accounts()).toMatchObject({ 'EUR/in_flight': '0.00', 'EUR/settled': '10.00' });
  expect(await auditedOf(id)).toEqual([
    { change: { attempt: 1, instruction: idIn(requested), alarm: 'not_found', reason: REASON } },
  ]);
});

it('what was never paid is failed, its money is free, and a retry orders it under a new key', async () => {
  const id = await forgotten();
  await countersign(idIn(await request(id, false)));
  expect(await workspace.payment(id)).toMatchObject({ status: 'failed', failureReason: 'provider_declined' });
  expect(await workspace.accounts()).toMatchObject({ 'EUR/available': '100.00', 'EUR/in_flight': '0.00' });
  await workspace.act('requestRetry', id);
  await scene.round();
  expect(await workspace.payment(id)).toMatchObject({ payoutAttempts: [{ status: 'declined' }, { number: 2 }] });
});

it('a provider that answers before the second person is believed', async () => {
  const id = await forgotten();
  const requested = idIn(await request(id, false));
  await scene.passTwoHours();
  await scene.round();
  expect(await workspace.payment(id)).toMatchObject({ payoutAttempts: [{ alarm: null }] });
  expect(codeOf(await countersign(requested))).toBe('INVALID_STATE');
  expect((await workspace.payment(id)).status).toBe('processing');
});

it('of a payment without an alarm nobody can say so, nor without a reason', async () => {
  const waiting = await workspace.milestone(await workspace.contract('sandbox:stays-under-way'), '10.00');
  expect(codeOf(await request(waiting, true))).toBe('INVALID_STATE');
  await scene.round();
  expect(codeOf(await request(waiting, true))).toBe('INVALID_STATE');
  expect(codeOf(await request(await forgotten(), true, ' '))).toBe('VALIDATION_FAILED');
});
