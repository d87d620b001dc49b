import { newId } from '@payroll/kernel';
import { deferWork } from '@payroll/service';
import { sql } from 'kysely';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { Scene } from './support/scene.js';
import { TestWorkspace } from './support/test-workspace.js';

let workspace: TestWorkspace;
const scene = await Scene.open('payments_payable');
beforeEach(async () => {
  workspace = await TestWorkspace.open(scene);
});
afterAll(() => scene[Symbol.asyncDispose]());

const TINY = `0.${'0'.repeat(36)}1`;
const HUGE = '9'.repeat(37);

describe('a payment that no bank can pay', () => {
  it.each([
    ['10.005', 'EUR'],
    ['10.5', 'JPY'],
    ['1', 'ZQX'],
    [TINY, 'EUR'],
    [HUGE, 'EUR'],
  ])('of %s %s fails with the reason, and posts no entry', async (amount, currency) => {
    await workspace.fund('100');
    const before = await workspace.accounts();
    const id = await workspace.milestone(await workspace.contract('sandbox:iban'), amount, currency);
    await scene.round();
    expect(await workspace.payment(id)).toMatchObject({
      status: 'failed',
      failureReason: 'amount_unpayable',
      payoutAttempts: [],
    });
    expect(await workspace.accounts()).toEqual(before);
    expect(workspace.toldOf(id).at(-1)?.[1]).toBe('failed');
  });

  it('fails even if deductions reduce its net to zero', async () => {
    const id = await workspace.timesheet(await workspace.contract('sandbox:iban'), '10.00', { autoPay: false });
    await workspace.deduct(id, '10');
    await scene.sql(sql`update payment set gross = 10.005 where id = ${id}`);
    await workspace.act('requestPayout', id);
    expect(await workspace.payment(id)).toMatchObject({ status: 'failed', failureReason: 'amount_unpayable' });
    expect(await workspace.accounts()).toEqual({});
  });
});

describe('funding amounts', () => {
  const request = (amount: string, currency: string) =>
    workspace.send(
      `mutation ($amount: Decimal!, $currency: String!, $transaction: String!) {
        requestFunding(amount: $amount, currency: $currency, reference: "r", bankTransactionId: $transaction) { id } }`,
      { amount, currency, transaction: newId() },
    );

  it.each([
    ['10.005', 'USD', 'amount', 'too_precise'],
    ['0.5', 'JPY', 'amount', 'too_precise'],
    [`1${'0'.repeat(20)}`, 'EUR', 'amount', 'out_of_range'],
    ['1', 'ZQX', 'currency', 'unknown_currency'],
    ['1', 'XAU', 'currency', 'unknown_currency'],
  ])('%s %s are refused', async (amount, currency, path, code) => {
    const { errors } = await request(amount, currency);
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'VALIDATION_FAILED', details: [{ path, code }] });
  });

  it('an unpayable amount requested by an earlier release is not booked', async () => {
    const id = newId();
    const instructed = {
      kind: 'funding',
      amount: { amount: '10', currency: 'ZQX' },
      reference: 'r',
      bankTransactionId: id,
    };
    await scene.sql(sql`
      insert into instruction (workspace_id, id, kind, instructed, status, bank_transaction_id, requested_by, expires_at, created_at, updated_at)
      values (${workspace.id}, ${id}, 'funding', ${JSON.stringify(instructed)}, 'requested', ${id}, 'fay@example.com',
        now() + interval '1 day', now(), now())`);
    const { errors } = await workspace.countersign(id);
    expect(errors?.[0]?.extensions.code).toBe('INVALID_STATE');
    expect(await workspace.accounts()).toEqual({});
  });
});

it('balances can be read with any stored amount: each is cut to 40 characters', async () => {
  await workspace.fund('100');
  const contract = await workspace.contract();
  for (const [amount, currency] of [
    [TINY, 'EUR'],
    [HUGE, 'EUR'],
    [HUGE, 'USD'],
    ['10.005', 'ZQX'],
  ] as const) {
    await workspace.timesheet(contract, amount, { currency, autoPay: false });
  }
  const balances = '{ balances { available { amount currency } pending { amount currency } } }';
  expect(await workspace.ask(balances)).toEqual({
    available: [
      { amount: '100.00', currency: 'EUR' },
      { amount: '0.00', currency: 'USD' },
      { amount: '0.00', currency: 'ZQX' },
    ],
    pending: [
      { amount: `${HUGE}.00`, currency: 'EUR' },
      { amount: `${HUGE}.00`, currency: 'USD' },
      { amount: '10.005', currency: 'ZQX' },
    ],
  });
});

describe('a due payment that cannot be processed', () => {
  const deferred = () =>
    scene.sql(sql<{ id: string; tries: number; reason: string; seconds: number }>`
      select id, tries, reason, extract(epoch from retry_at - clock_timestamp())::float as seconds
      from deferred_work where workspace_id = ${workspace.id}`);
  const retryIn = (time: string) =>
    scene.sql(
      sql`update deferred_work set retry_at = clock_timestamp() + ${time}::interval where workspace_id = ${workspace.id}`,
    );

  it('is deferred with growing intervals, does not block others and is paid once it can be', async () => {
    await workspace.fund('100');
    const contract = await workspace.contract('sandbox:iban');
    const id = await workspace.milestone(contract, '10.00');
    // A second open attempt, which Postgres would refuse.
    await scene.sql(sql`
      insert into payout_attempt (workspace_id, payment_id, number, status, idempotency_key, payee_id, worker_id, payout_method,
        destination, currency, amount, polls, created_at, updated_at)
      values (${workspace.id}, ${id}, 7, 'settled', ${newId()}, ${newId()}, ${newId()}, 'other', 'sandbox:iban', 'EUR', 10, 1, now(), now())`);
    const other = await workspace.milestone(contract, '20.00');
    await scene.round();
    expect((await workspace.payment(other)).status).toBe('completed');
    expect((await workspace.payment(id)).status).toBe('pending');
    expect(await deferred()).toMatchObject([{ id, tries: 1, reason: expect.stringContaining('payout_attempt_alone') }]);
    await retryIn('1 hour');
    await scene.round();
    expect(await deferred()).toMatchObject([{ tries: 1 }]);
    for (const tries of [2, 3, 4]) {
      await retryIn('0');
      await scene.round();
      expect(await deferred()).toMatchObject([{ tries }]);
    }
    expect((await deferred())[0]!.seconds).toBeLessThanOrEqual(8);
    // It was done in the meantime, and fails again.
    await retryIn('-25 hours');
    await scene.round();
    expect(await deferred()).toMatchObject([{ tries: 1 }]);
    expect((await deferred())[0]!.seconds).toBeLessThanOrEqual(1);
    await scene.sql(sql`update payout_attempt set status = 'declined' where payment_id = ${id}`);
    await retryIn('0');
    await scene.round();
    expect((await workspace.payment(id)).status).toBe('completed');
  });

  it('stays due after an outage', async () => {
    const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    await deferWork(scene.em, { runner: 'due-payments', workspaceId: workspace.id, id: newId() }, refused);
    expect(await deferred()).toEqual([]);
  });
});
