import { newId } from '@payroll/kernel';
import { sql } from 'kysely';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { Scene, type GraphqlAnswer } from './support/scene.js';
import { TestWorkspace } from './support/test-workspace.js';

let workspace: TestWorkspace;
const scene = await Scene.open('payments_transfers');
beforeEach(async () => {
  workspace = await TestWorkspace.open(scene);
});
afterAll(() => scene[Symbol.asyncDispose]());

const FUNDING = `mutation ($amount: Decimal!, $currency: String!, $transaction: String!) {
  requestFunding(amount: $amount, currency: $currency, reference: "INV-1", bankTransactionId: $transaction) { id } }`;

const request = (transaction: string, by = workspace.origin, of = workspace): Promise<GraphqlAnswer> =>
  of.send(FUNDING, { amount: '500', currency: 'EUR', transaction }, by);
const idOf = ({ data }: GraphqlAnswer): string => (data!['requestFunding'] as { id: string }).id;
const taken = { code: 'VALIDATION_FAILED', details: [{ path: 'bankTransactionId', code: 'taken' }] };

it("a transfer is booked once if two people request it and countersign each other's request", async () => {
  const transfer = newId();
  const first = idOf(await request(transfer));
  const same = ` ${transfer.toUpperCase()} `;
  expect((await request(same, workspace.second)).errors?.[0]?.extensions).toMatchObject(taken);
  expect((await workspace.countersign(first)).errors).toBeUndefined();
  expect((await request(same, workspace.second)).errors?.[0]?.extensions).toMatchObject(taken);
  expect(await workspace.accounts()).toMatchObject({ 'EUR/available': '500.00' });
});

it('a transfer requested in two workspaces is booked in one', async () => {
  const [transfer, other] = [newId(), await TestWorkspace.open(scene)];
  const ids = [idOf(await request(transfer)), idOf(await request(transfer, other.origin, other))] as const;
  expect((await workspace.countersign(ids[0])).errors).toBeUndefined();
  expect((await other.countersign(ids[1])).errors?.[0]?.extensions).toMatchObject(taken);
  expect(await other.accounts()).toEqual({});
  const decided = sql`update instruction set status = 'countersigned', decided_by = 'finn@example.com' where id = ${ids[1]}`;
  await expect(scene.sql(decided)).rejects.toThrow('instruction_books_transfer_once');
});

it('a transfer countersigned in two workspaces at the same time is booked in one, and taken for the other', async () => {
  for (let round = 0; round < 8; round += 1) {
    const transfer = newId();
    const both = [await TestWorkspace.open(scene), await TestWorkspace.open(scene)];
    const ids = await Promise.all(both.map(async (each) => idOf(await request(transfer, each.origin, each))));
    const answers = await Promise.all(both.map((each, n) => each.countersign(ids[n]!)));
    expect(answers.flatMap(({ errors }) => errors ?? []).map(({ extensions }) => extensions)).toMatchObject([taken]);
  }
});

it('a transfer whose funding was declined can be requested again', async () => {
  const transfer = newId();
  const id = idOf(await request(transfer));
  await workspace.send('mutation ($id: ID!) { declineInstruction(id: $id) { id } }', { id }, workspace.second);
  expect((await workspace.countersign(idOf(await request(transfer)))).errors).toBeUndefined();
});
