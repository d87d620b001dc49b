import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { Scene, type GraphqlAnswer, codeOf } from './support/scene.js';
import { TestWorkspace } from './support/test-workspace.js';

let workspace: TestWorkspace;
const scene = await Scene.open('payments_differing');
beforeEach(async () => {
  workspace = await TestWorkspace.open(scene);
  await workspace.fund('100');
});
afterAll(() => scene[Symbol.asyncDispose]());

const idIn = ({ data }: GraphqlAnswer): string => (data!['requestOutcome'] as { id: string }).id;

describe('a provider that has paid another amount than was ordered', () => {
  /** Our order says 10.00, and the provider has the key with another amount, from before a restore. */
  async function differing(paid: string, currency = 'EUR', destination = 'sandbox:iban'): Promise<string> {
    const id = await workspace.milestone(await workspace.contract(destination), '10.00');
    const other = { amount: { amount: paid, currency } };
    const { sandbox } = scene;
    await scene.round({
      submit: (order) => sandbox.submit({ ...order, ...other }),
      lookUp: (order) => sandbox.lookUp(order),
    });
    const alarm = { number: 1, status: 'prepared', alarm: 'differs' };
    expect(await workspace.payment(id)).toMatchObject({ status: 'processing', payoutAttempts: [alarm] });
    return id;
  }

  const REPORTED = `query ($id: ID!) { payment(id: $id) { payoutAttempts {
    status amount { amount } paidAmount { amount currency } reported { status amount { amount currency } isToSameDestination } } } }`;
  const reportedOf = async (id: string) =>
    (await workspace.ask<{ payoutAttempts: object[] }>(REPORTED, { id })).payoutAttempts;

  it("the payment shows the provider's amount, and follows its later answers", async () => {
    const id = await differing('8.00', 'EUR', 'sandbox:stays-under-way');
    const said = { amount: { amount: '8.00', currency: 'EUR' }, isToSameDestination: true };
    expect(await workspace.ask('query ($id: ID!) { payment(id: $id) { heldBy } }', { id })).toEqual({
      heldBy: 'payout_alarm',
    });
    expect(await reportedOf(id)).toMatchObject([{ paidAmount: null, reported: { ...said, status: 'submitted' } }]);
    await scene.sandbox.finish(await workspace.keyOf(id), 'settled');
    await scene.passTwoHours();
    await scene.round();
    expect(await reportedOf(id)).toMatchObject([{ paidAmount: null, reported: { ...said, status: 'settled' } }]);
  });

  it('is shown to have paid another destination than was ordered', async () => {
    const id = await workspace.milestone(await workspace.contract('sandbox:iban'), '10.00');
    const { sandbox } = scene;
    await scene.round({
      submit: (order) => sandbox.submit({ ...order, destination: 'sandbox:another' }),
      lookUp: (order) => sandbox.lookUp(order),
    });
    const reported = { amount: { amount: '10.00' }, isToSameDestination: false };
    expect(await reportedOf(id)).toMatchObject([{ status: 'prepared', reported }]);
  });

  it.each([
    ['8.00', 'EUR', { 'EUR/available': '92.00', 'EUR/workers_payable': '-2.00' }],
    ['15.00', 'EUR', { 'EUR/available': '85.00', 'EUR/workers_receivable': '5.00' }],
  ])('%s %s: books the amount really paid and the difference as owed', async (paid, currency, accounts) => {
    const id = await differing(paid, currency);
    const requested = await workspace.requestOutcome(id, true);
    expect(requested.data).toMatchObject({ requestOutcome: { amount: { amount: paid } } });
    expect((await workspace.countersign(idIn(requested))).errors).toBeUndefined();
    expect((await workspace.payment(id)).status).toBe('completed');
    expect(await reportedOf(id)).toMatchObject([
      { status: 'settled', amount: { amount: '10.00' }, paidAmount: { amount: paid, currency } },
    ]);
    expect(await workspace.accounts()).toMatchObject({ ...accounts, 'EUR/in_flight': '0.00', 'EUR/settled': '10.00' });
  });

  const CLEAR = `mutation ($account: DifferenceAccount!, $amount: Decimal!) {
    requestClearing(account: $account, amount: $amount, currency: "EUR", reason: "Their bank statement of 4 June") {
      id kind account amount { amount } paymentId } }`;
  const OWED = '{ balances { owedToWorkers { amount currency } owedByWorkers { amount currency } } }';

  it.each([
    ['8.00', 'workers_payable', 'owedToWorkers', '2.00', 'workers_receivable'],
    ['15.00', 'workers_receivable', 'owedByWorkers', '5.00', 'workers_payable'],
  ])('%s: two people clear at most the amount owed', async (paid, account, owed, rest, other) => {
    await workspace.countersign(idIn(await workspace.requestOutcome(await differing(paid), true)));
    const before = await workspace.accounts();
    const none = { owedToWorkers: [], owedByWorkers: [] };
    expect(await workspace.ask(OWED)).toEqual({ ...none, [owed]: [{ amount: rest, currency: 'EUR' }] });
    expect(codeOf(await workspace.send(CLEAR, { account: other, amount: '0.01' }))).toBe('INVALID_STATE');
    expect(codeOf(await workspace.send(CLEAR, { account, amount: '5.01' }))).toBe('INVALID_STATE');
    const clear = async (amount: string): Promise<string> =>
      (await workspace.ask<{ id: string }>(CLEAR, { account, amount })).id;
    const [all, again] = [await clear(rest), await clear(rest)];
    expect(codeOf(await workspace.countersign(all, workspace.origin)), 'by one person').toBe('INSUFFICIENT_SCOPE');
    expect(await workspace.accounts()).toEqual(before);
    expect((await workspace.countersign(all)).errors).toBeUndefined();
    const after = await workspace.accounts();
    expect(after).toMatchObject({ [`EUR/${account}`]: '0.00', 'EUR/available': before['EUR/available'] });
    expect(codeOf(await workspace.countersign(again)), 'twice').toBe('INVALID_STATE');
    expect(await workspace.accounts()).toEqual(after);
    expect(await workspace.ask(OWED)).toEqual(none);
  });

  it('an amount in another currency is booked once the workspace has that money', async () => {
    const id = await differing('9.00', 'USD');
    const requested = idIn(await workspace.requestOutcome(id, true));
    expect(codeOf(await workspace.countersign(requested))).toBe('INVALID_STATE');
    const { id: funding } = await workspace.ask<{ id: string }>(
      'mutation { requestFunding(amount: "9.00", currency: "USD", reference: "by a test", bankTransactionId: "differs-1") { id } }',
    );
    await workspace.countersign(funding);
    expect((await workspace.countersign(requested)).errors).toBeUndefined();
    expect(await workspace.accounts()).toMatchObject({
      ...{ 'EUR/available': '100.00', 'EUR/settled': '10.00', 'EUR/workers_payable': '-10.00' },
      ...{ 'USD/available': '0.00', 'USD/workers_receivable': '9.00' },
    });
  });

  it('a request for "never paid" is refused', async () => {
    const id = await differing('8.00');
    expect(codeOf(await workspace.requestOutcome(id, false))).toBe('INVALID_STATE');
  });

  it('a countersignature is refused if the provider now reports another amount', async () => {
    const id = await differing('8.00', 'EUR', 'sandbox:stays-under-way');
    const requested = idIn(await workspace.requestOutcome(id, true));
    expect(codeOf(await workspace.countersign(requested)), 'it is still under way').toBe('INVALID_STATE');
    await scene.sandbox.finish(await workspace.keyOf(id), 'settled');
    const known = await scene.sandbox.lookUp(await workspace.order(id));
    const other = { ...known!, amount: { amount: '7.00', currency: 'EUR' } };
    using _ = vi.spyOn(scene.sandbox, 'lookUp').mockResolvedValueOnce(other);
    const answer = await workspace.countersign(requested);
    expect(answer.errors).toMatchObject([{ message: expect.stringContaining('another amount') as string }]);
    expect((await workspace.payment(id)).status).toBe('processing');
  });

  it('two people fail the payment if the provider declined it, and its money is released', async () => {
    const id = await differing('8.00', 'EUR', 'sandbox:declines');
    expect(codeOf(await workspace.requestOutcome(id, true))).toBe('INVALID_STATE');
    expect((await workspace.countersign(idIn(await workspace.requestOutcome(id, false)))).errors).toBeUndefined();
    expect((await workspace.payment(id)).status).toBe('failed');
    expect(await workspace.accounts()).toMatchObject({ 'EUR/available': '100.00', 'EUR/in_flight': '0.00' });
  });
});
