import { newId, type Origin } from '@payroll/kernel';
import { sql } from 'kysely';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { Scene, staff, type GraphqlAnswer, codeOf } from './support/scene.js';
import { TestWorkspace, type Contract } from './support/test-workspace.js';

let workspace: TestWorkspace;
const scene = await Scene.open('payments_instructions');
beforeEach(async () => {
  workspace = await TestWorkspace.open(scene);
});
afterAll(() => scene[Symbol.asyncDispose]());

const FIELDS = `id kind status amount { amount currency } paymentId payeeId reference requestedBy decidedBy decidedAt`;
const FUNDING = `mutation ($amount: Decimal!, $currency: String!, $transaction: String!, $operationId: ID) {
  requestFunding(amount: $amount, currency: $currency, reference: " INV-1 ", bankTransactionId: $transaction, operationId: $operationId) { ${FIELDS} } }`;
const PAYOUT = `mutation ($id: ID!) { requestPayout(paymentId: $id) { ${FIELDS} } }`;

type Decision = 'countersign' | 'decline' | 'withdraw';

const decide = (how: Decision, id: string, by: Origin, operationId = newId()): Promise<GraphqlAnswer> =>
  workspace.send(
    `mutation ($id: ID!, $operationId: ID) { ${how}Instruction(id: $id, operationId: $operationId) { ${FIELDS} } }`,
    { id, operationId },
    by,
  );
const fund = async (amount = '12.50'): Promise<string> =>
  (await workspace.ask<{ id: string }>(FUNDING, { amount, currency: 'EUR', transaction: newId() })).id;
const payOut = async (id: string): Promise<string> => (await workspace.ask<{ id: string }>(PAYOUT, { id })).id;
const show = (id: string): Promise<unknown> =>
  workspace.ask(`query ($id: ID!) { instruction(id: $id) { ${FIELDS} } }`, { id });

async function byHand(amount = '10.00'): Promise<{ contract: Contract; paymentId: string }> {
  const contract = await workspace.contract('sandbox:iban');
  return { contract, paymentId: await workspace.timesheet(contract, amount, { autoPay: false }) };
}

describe('a funding request', () => {
  it('moves no money until a second person countersigns, and then once', async () => {
    const id = await fund();
    const requested = {
      ...{ id, kind: 'funding', status: 'requested', amount: { amount: '12.50', currency: 'EUR' }, paymentId: null },
      ...{ payeeId: null, reference: 'INV-1', requestedBy: 'fay@example.com', decidedBy: null, decidedAt: null },
    };
    expect(await show(id)).toEqual(requested);
    expect(await workspace.accounts()).toEqual({});
    const operationId = newId();
    const answer = await decide('countersign', id, workspace.second, operationId);
    const decided = { ...requested, status: 'countersigned', decidedBy: 'finn@example.com' };
    expect(answer.data).toEqual({ countersignInstruction: { ...decided, decidedAt: expect.any(String) as string } });
    const again = await decide('countersign', id, workspace.second, operationId);
    expect(again).toEqual({ ...answer, extensions: { replayed: true } });
    expect(codeOf(await decide('countersign', id, workspace.second))).toBe('INVALID_STATE');
    expect(await workspace.accounts()).toEqual({ 'EUR/funding': '-12.50', 'EUR/available': '12.50' });
  });

  it('is made once per operation', async () => {
    const variables = { amount: '1', currency: 'EUR', transaction: newId(), operationId: newId() };
    expect(await workspace.ask(FUNDING, variables)).toEqual(await workspace.ask(FUNDING, variables));
  });

  it.each([
    ['0', 'EUR', 'amount'],
    ['-1', 'EUR', 'amount'],
    ['1.001', 'EUR', 'amount'],
    ['1.5', 'JPY', 'amount'],
    ['1', 'euro', 'currency'],
  ])('of %s %s is refused', async (amount, currency, path) => {
    const answer = await workspace.send(FUNDING, { amount, currency, transaction: newId() });
    expect(answer.errors?.[0]?.extensions).toMatchObject({ code: 'VALIDATION_FAILED', details: [{ path }] });
  });

  it('is booked once if ten people countersign at the same time', async () => {
    const id = await fund();
    const others = Array.from({ length: 10 }, (_, n) => staff(workspace.id, { person: `finn${n}@example.com` }));
    const answers = await Promise.all(others.map((other) => decide('countersign', id, other)));
    expect(answers.map(codeOf).toSorted()).toEqual([...Array<string>(9).fill('INVALID_STATE'), undefined]);
    expect((await workspace.accounts())['EUR/available']).toBe('12.50');
  });
});

describe('the second person', () => {
  it.each(['countersign', 'decline'] as const)('cannot be the first one with another token: %s', async (how) => {
    const id = await fund();
    const again = staff(workspace.id, { person: 'fay@example.com' });
    expect(again.actor.principalId).not.toBe(workspace.origin.actor.principalId);
    expect(codeOf(await decide(how, id, again))).toBe('INSUFFICIENT_SCOPE');
    expect(await show(id)).toMatchObject({ status: 'requested', decidedBy: null });
  });

  it('must be of finance: other teams and the application are refused', async () => {
    const id = await fund();
    const { actor, ...request } = workspace.second;
    const application: Origin = { ...request, actor: { ...actor, kind: 'service' } };
    for (const other of [staff(workspace.id, { team: 'operations', person: 'olga@example.com' }), application]) {
      expect(codeOf(await decide('countersign', id, other))).toBe('INSUFFICIENT_SCOPE');
    }
    expect(await workspace.accounts()).toEqual({});
  });

  it('declines, the first person withdraws, and neither can do the other', async () => {
    const [one, two] = [await fund(), await fund()];
    expect(codeOf(await decide('withdraw', one, workspace.second))).toBe('INSUFFICIENT_SCOPE');
    await decide('decline', one, workspace.second);
    await decide('withdraw', two, workspace.origin);
    expect(await show(one)).toMatchObject({ status: 'declined', decidedBy: 'finn@example.com' });
    expect(await show(two)).toMatchObject({ status: 'withdrawn', decidedBy: 'fay@example.com' });
    for (const id of [one, two]) expect(codeOf(await workspace.countersign(id))).toBe('INVALID_STATE');
    expect(await workspace.accounts()).toEqual({});
  });

  it('countersigning while the first one withdraws: one wins, and the money follows', async () => {
    const id = await fund();
    await Promise.all([decide('countersign', id, workspace.second), decide('withdraw', id, workspace.origin)]);
    const { status } = (await show(id)) as { status: string };
    expect(['countersigned', 'withdrawn']).toContain(status);
    expect((await workspace.accounts())['EUR/available']).toBe(status === 'countersigned' ? '12.50' : undefined);
  });

  it('must be in the same workspace, which alone sees the request', async () => {
    const id = await fund();
    const other = await TestWorkspace.open(scene);
    expect(await other.ask('query ($id: ID!) { instruction(id: $id) { id } }', { id })).toBeNull();
    expect(codeOf(await other.countersign(id))).toBe('NOT_FOUND');
  });
});

describe('a payout request', () => {
  it('the countersignature prepares the payout with what both persons saw', async () => {
    await workspace.fund('10');
    const { paymentId } = await byHand();
    const id = await payOut(paymentId);
    expect(await show(id)).toMatchObject({ kind: 'payout', paymentId, amount: { amount: '10.00', currency: 'EUR' } });
    expect((await workspace.payment(paymentId)).status).toBe('pending');
    await workspace.countersign(id);
    expect(await workspace.payment(paymentId)).toMatchObject({ status: 'processing', payoutAttempts: [{ number: 1 }] });
  });

  it('is not carried out if the amount has changed', async () => {
    await workspace.fund('10');
    const { paymentId } = await byHand();
    const id = await payOut(paymentId);
    await workspace.deduct(paymentId, '1.00');
    expect(codeOf(await workspace.countersign(id))).toBe('INVALID_STATE');
    expect(await show(id)).toMatchObject({ status: 'requested', amount: { amount: '10.00' } });
    expect((await workspace.payment(paymentId)).status).toBe('pending');
  });

  it('is not carried out if the destination has changed', async () => {
    await workspace.fund('10');
    const { contract, paymentId } = await byHand();
    const id = await payOut(paymentId);
    const { nodes } = await workspace.ask<{ nodes: { id: string }[] }>(
      'query ($workerId: ID!) { payees(workerId: $workerId) { nodes { id } } }',
      { workerId: contract.workerId },
    );
    await workspace.ask(
      `mutation ($id: ID!) { changePayee(id: $id, payoutMethod: bank_transfer, destination: "sandbox:elsewhere") { id } }`,
      nodes[0],
    );
    await workspace.verify(nodes[0]!.id);
    expect(codeOf(await workspace.countersign(id))).toBe('INVALID_STATE');
    expect((await workspace.payment(paymentId)).payoutAttempts).toEqual([]);
  });

  it('fails for lack of funds if the money was spent in the meantime, and moves no money', async () => {
    await workspace.fund('10');
    const [one, two] = [await byHand(), await byHand()];
    const ids = [await payOut(one.paymentId), await payOut(two.paymentId)];
    for (const id of ids) expect((await workspace.countersign(id)).errors).toBeUndefined();
    expect(await workspace.payment(two.paymentId)).toMatchObject({
      status: 'failed',
      failureReason: 'insufficient_funds',
    });
    expect(await workspace.accounts()).toMatchObject({ 'EUR/available': '0.00', 'EUR/in_flight': '10.00' });
  });

  it('is refused and stays open if the payment was cancelled in the meantime', async () => {
    const { paymentId } = await byHand();
    const id = await payOut(paymentId);
    await workspace.act('cancelPayment', paymentId);
    expect(codeOf(await workspace.countersign(id))).toBe('INVALID_STATE');
    expect(await show(id)).toMatchObject({ status: 'requested', decidedBy: null });
  });
});

it('expires: it can no longer be decided and is listed as expired', async () => {
  const [open, late] = [await fund(), newId()];
  await scene.sql(sql`
    insert into instruction (workspace_id, id, kind, instructed, status, bank_transaction_id, requested_by, expires_at, created_at,
      updated_at)
    select workspace_id, ${late}, kind, instructed, status, ${late}, requested_by, now(), created_at - interval '4 days', created_at
    from instruction where id = ${open}`);
  for (const how of ['countersign', 'decline'] as const) {
    expect(codeOf(await decide(how, late, workspace.second))).toBe('INVALID_STATE');
  }
  const list = async (status: string) =>
    (await workspace.ask<{ nodes: { id: string }[] }>(`{ instructions(status: ${status}) { nodes { id } } }`)).nodes;
  expect(await list('expired')).toEqual([{ id: late }]);
  expect(await list('requested')).toEqual([{ id: open }]);
  expect(await workspace.ask('{ instructions { nodes { id status } } }')).toEqual({
    nodes: [
      { id: open, status: 'requested' },
      { id: late, status: 'expired' },
    ],
  });
});

describe('instructions in Postgres', () => {
  it('refuse a decision by the person who requested it, in any spelling', async () => {
    const id = await fund();
    for (const person of ['fay@example.com', 'Fay@Example.com', null]) {
      const decided = sql`update instruction set status = 'countersigned', decided_by = ${person} where id = ${id}`;
      await expect(scene.sql(decided)).rejects.toThrow('instruction_second_person_check');
    }
  });

  it('cannot be changed or deleted by the service', async () => {
    const refuse = (statement: ReturnType<typeof sql>) =>
      expect(scene.sql(statement)).rejects.toThrow('permission denied');
    await refuse(sql`update instruction set instructed = '{}'`);
    await refuse(sql`update instruction set requested_by = 'x'`);
    await refuse(sql`delete from instruction`);
  });
});

it('every step is in the audit trail, with both persons', async () => {
  await workspace.countersign(await fund());
  const rows = await scene.sql(sql<{ action: string; change: object }>`
    select action, change from audit_entry where workspace_id = ${workspace.id} order by at, id`);
  expect(rows.map(({ action }) => action)).toEqual([
    ...['instruction.requested', 'instruction.countersigned', 'workspace.funded'],
  ]);
  expect(rows[1]!.change).toEqual({ requestedBy: 'fay@example.com', decidedBy: 'finn@example.com' });
});
