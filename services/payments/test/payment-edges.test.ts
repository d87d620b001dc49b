import { PAYMENT_STATUSES, type PaymentStatus } from '@payroll/kernel';
import { afterAll, expect, it } from 'vitest';
import { Scene } from './support/scene.js';
import { TestWorkspace, type PaymentMutation } from './support/test-workspace.js';

const scene = await Scene.open('payments_edges');
afterAll(() => scene[Symbol.asyncDispose]());

const EDGES = {
  requestPayout: { pending: 'processing' },
  requestRetry: { failed: 'pending' },
  cancelPayment: { pending: 'cancelled' },
} as const satisfies Record<PaymentMutation, Partial<Record<PaymentStatus, PaymentStatus>>>;

const DESTINATIONS: Partial<Record<PaymentStatus, string>> = {
  processing: 'sandbox:stays-under-way',
  failed: 'sandbox:declines',
};

async function paymentThatIs(status: PaymentStatus, workspace: TestWorkspace): Promise<string> {
  await workspace.fund('10');
  const contract = await workspace.contract(DESTINATIONS[status] ?? 'sandbox:iban');
  const id = await workspace.timesheet(contract, '10.00', { autoPay: false });
  if (status === 'cancelled') await workspace.act('cancelPayment', id);
  else if (status !== 'pending') await workspace.act('requestPayout', id);
  await scene.round();
  expect((await workspace.payment(id)).status).toBe(status);
  return id;
}

const every = (Object.keys(EDGES) as PaymentMutation[]).flatMap((mutation) =>
  PAYMENT_STATUSES.map((status) => [mutation, status] as const),
);

it.each(every)('the edge "%s" of a payment that is %s', async (mutation, status) => {
  const workspace = await TestWorkspace.open(scene);
  const id = await paymentThatIs(status, workspace);
  const before = [await workspace.payment(id), workspace.toldOf(id), await workspace.accounts()];
  const answer = await workspace.act(mutation, id);
  const to: PaymentStatus | undefined = (EDGES[mutation] as Partial<Record<PaymentStatus, PaymentStatus>>)[status];
  if (to) {
    expect((await workspace.payment(id)).status).toBe(to);
    expect(workspace.toldOf(id).at(-1)?.[1]).toBe(to);
  } else {
    expect(answer.errors?.[0]?.extensions.code).toBe('INVALID_STATE');
    expect([await workspace.payment(id), workspace.toldOf(id), await workspace.accounts()]).toEqual(before);
  }
});
