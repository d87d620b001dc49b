import { newId } from '@payroll/kernel';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { Scene } from './support/scene.js';
import { TestWorkspace, type Contract } from './support/test-workspace.js';

let workspace: TestWorkspace;
let contract: Contract;
const scene = await Scene.open('payments_deductions');
beforeEach(async () => {
  workspace = await TestWorkspace.open(scene);
  await workspace.fund('1000');
  contract = await workspace.contract('sandbox:iban');
});
afterAll(() => scene[Symbol.asyncDispose]());

const REMOVE = `mutation ($paymentId: ID!, $deductionId: ID!) {
  removeDeduction(paymentId: $paymentId, deductionId: $deductionId) { netAmount { amount } } }`;

it('the net follows deductions that are added and removed while the payment is pending', async () => {
  const id = await workspace.timesheet(contract, '100.00', { autoPay: false });
  const before = await workspace.payment(id);
  await workspace.deduct(id, '20.10', ' income tax ');
  await workspace.deduct(id, '0.90', 'advance');
  const deducted = await workspace.payment(id);
  expect(deducted).toMatchObject({
    grossAmount: { amount: '100.00' },
    netAmount: { amount: '79.00', currency: 'EUR' },
    deductions: [
      { name: 'income tax', amount: { amount: '20.10' } },
      { name: 'advance', amount: { amount: '0.90' } },
    ],
  });
  expect(deducted.updatedAt > before.updatedAt).toBe(true);
  await workspace.ask(REMOVE, { paymentId: id, deductionId: deducted.deductions[0]!.id });
  expect(await workspace.payment(id)).toMatchObject({
    netAmount: { amount: '99.10' },
    deductions: [{ name: 'advance' }],
  });
  expect(workspace.toldOf(id), 'no status changed').toEqual([]);
});

it.each([
  ['100.01', 'exceeds_gross'],
  ['0', 'not_positive'],
  ['-5', 'not_positive'],
  ['0.001', 'too_precise'],
])('a deduction of %s from 100.00 is refused: %s', async (amount, code) => {
  const id = await workspace.timesheet(contract, '100.00', { autoPay: false });
  const answer = await workspace.deduct(id, amount);
  expect(answer.errors?.[0]?.extensions).toMatchObject({
    code: 'VALIDATION_FAILED',
    details: [{ path: 'amount', code }],
  });
  expect(await workspace.payment(id)).toMatchObject({ netAmount: { amount: '100.00' }, deductions: [] });
});

it('deductions can only be added and removed while the payment is pending', async () => {
  const id = await workspace.timesheet(contract, '100.00');
  await workspace.deduct(id, '1.00');
  const { deductions } = await workspace.payment(id);
  await scene.round();
  const refused = [
    await workspace.deduct(id, '1.00'),
    await workspace.send(REMOVE, { paymentId: id, deductionId: deductions[0]!.id }),
  ];
  expect(refused.map(({ errors }) => errors?.[0]?.extensions.code)).toEqual(['INVALID_STATE', 'INVALID_STATE']);
});

it('a deduction of another payment is not found', async () => {
  const one = await workspace.timesheet(contract, '100.00', { autoPay: false });
  const other = await workspace.timesheet(contract, '100.00', { autoPay: false });
  await workspace.deduct(one, '1.00');
  const { deductions } = await workspace.payment(one);
  for (const deductionId of [deductions[0]!.id, newId(), 'no-id']) {
    const answer = await workspace.send(REMOVE, { paymentId: other, deductionId });
    expect(answer.errors?.[0]?.extensions.code).toBe('NOT_FOUND');
  }
});

it('the net is paid out; the withheld amount is owed to others and stays available', async () => {
  const id = await workspace.timesheet(contract, '100.00');
  await workspace.deduct(id, '20.00');
  await scene.round();
  expect(await workspace.paidOut(id)).toEqual(['80.00']);
  expect(await workspace.accounts()).toEqual({
    'EUR/funding': '-1000.00',
    'EUR/available': '920.00',
    'EUR/in_flight': '0.00',
    'EUR/settled': '100.00',
    'EUR/deductions_payable': '-20.00',
  });
});

it('a payment with a net of zero is completed without a payout, and the worker is not mailed that they were paid', async () => {
  const id = await workspace.timesheet(await workspace.contract(), '100.00');
  await workspace.deduct(id, '100.00');
  await scene.round();
  expect(await workspace.payment(id)).toMatchObject({
    status: 'completed',
    netAmount: { amount: '0.00' },
    payoutAttempts: [],
  });
  expect(await workspace.accounts()).toMatchObject({
    'EUR/available': '1000.00',
    'EUR/settled': '100.00',
    'EUR/deductions_payable': '-100.00',
  });
  expect(scene.told.filter(({ type, aboutId }) => type === 'notice.payment' && aboutId === id)).toEqual([]);
});
