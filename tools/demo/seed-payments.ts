import { setTimeout as pause } from 'node:timers/promises';
import { ask, instruct, type GraphqlAccess } from './graphql-client.js';
import * as operation from './operations.js';
import { contractIn, hourly, registerWorker, submitWeek } from './steps.js';

/** Funds two currencies and makes a payment in every status, as real ones reach it. The workers have no payee yet. */
export async function seedPayments(
  access: GraphqlAccess,
  { domain, backend, data }: Record<'domain' | 'backend' | 'data', string>,
): Promise<void> {
  await instruct(access, operation.REQUEST_FUNDING, operation.transferOf('25000', 'EUR'));
  await instruct(access, operation.REQUEST_FUNDING, operation.transferOf('18000', 'USD'));
  for (const contract of [backend, data])
    await payTo(access, await workerOf(access, contract), 'DE89 3704 0044 0532 0130 00');
  const completed = [await approveWeek(access, backend, 0), await approveWeek(access, data, 0)];

  const payFor = async (name: string, destination: string, contract: object): Promise<string> => {
    const worker = await registerWorker(access, name, domain);
    await payTo(access, worker.id, destination);
    return await approveWeek(access, await contractIn(access, worker, contract, 'active'), 0);
  };
  const failed = await payFor('Dora Declined', 'sandbox:declines', hourly('Translation', 'EUR', '40'));
  const processing = await payFor('Lars Later', 'sandbox:stays-under-way', hourly('Illustration', 'EUR', '45'));

  const manual = hourly('Workshop facilitation', 'EUR', '120', {
    invoicingSettings: { paymentDueDays: 30, autoPayEnabled: false },
  });
  // Nothing is cancelled or paid out before payments has compared the provider's orders: 20 s after a restart of Postgres, which a
  // stopped first start leads to.
  for (const id of completed) await settle(access, id, 'completed');
  const patient = await registerWorker(access, 'Pia Patient', domain);
  const byHand = await contractIn(access, patient, manual, 'active');
  await approveWeek(access, byHand, 0);
  await ask(access, operation.CANCEL_PAYMENT, { id: await approveWeek(access, byHand, 1) });
  const toReject = await submitWeek(access, byHand, 2, '7');
  await ask(access, operation.REJECT_TIMESHEET, { ...toReject, reason: 'The workshop was on another day' });

  await settle(access, failed, 'failed');
  await settle(access, processing, 'processing');
}

async function workerOf(access: GraphqlAccess, contractId: string): Promise<string> {
  const query = 'query ($id: ID!) { contract(id: $id) { worker { id } } }';
  const { worker } = await ask<{ worker: { id: string } }>(access, query, { id: contractId });
  return worker.id;
}

/** Makes a worker payable: the application enters the destination, a person of finance verifies it. */
export async function payTo(access: GraphqlAccess, workerId: string, destination: string): Promise<void> {
  const payee = await ask<{ id: string; version: string }>(access, operation.REGISTER_PAYEE, { workerId, destination });
  await ask({ ...access, token: access.finance[0] }, operation.VERIFY_PAYEE, { ...payee, destination });
}

async function approveWeek(access: GraphqlAccess, contractId: string, n: number): Promise<string> {
  const submitted = await submitWeek(access, contractId, n, '36');
  const { paymentId } = await ask<{ paymentId: string }>(access, operation.APPROVE_TIMESHEET, submitted);
  return paymentId;
}

const SETTLES_WITHIN_MS = 60_000;

/** Waits for a payment's status: the background job processes due payments a moment later. */
export async function settle(access: GraphqlAccess, id: string, status: string): Promise<void> {
  for (const giveUpAt = Date.now() + SETTLES_WITHIN_MS; ; await pause(100)) {
    const payment = await ask<{ status: string; failureReason: string | null }>(access, operation.PAYMENT, { id });
    if (payment.status === status) return;
    if (Date.now() > giveUpAt) {
      throw new Error(`payment ${id} is ${payment.status} (${payment.failureReason ?? 'no reason'}), not ${status}`);
    }
  }
}
