import { ask, instruct } from '@payroll/tools/demo/graphql-client';
import * as operation from '@payroll/tools/demo/operations';
import { payTo } from '@payroll/tools/demo/seed-payments';
import {
  byMilestone,
  contractIn,
  hourly,
  registerWorker,
  submitMilestones,
  submitWeek,
  type Submitted,
} from '@payroll/tools/demo/steps';
import { internal } from './integrator.js';

// Actions in the service's own application, whose results an integrator sees.

/** Takes a draft to `active`: names its worker, verifies it, has it signed by both sides. */
export async function activate(contractId: string, workspace = 0): Promise<{ workerId: string }> {
  const access = internal(workspace);
  const worker = await registerWorker(access, 'Wim Worker', 'worker.example');
  await ask(access, operation.ASSIGN_WORKER, { id: contractId, workerId: worker.id });
  for (const step of operation.stepsTo('active')) await ask(access, step, { id: contractId });
  return { workerId: worker.id };
}

const BY_HAND = { invoicingSettings: { paymentDueDays: 30, autoPayEnabled: false } };

/** An active hourly contract without auto-pay: its payments stay as the approval created them. */
export async function activeHourly(currency = 'EUR', workspace = 0): Promise<string> {
  const worker = await registerWorker(internal(workspace), 'Willa Worker', 'worker.example');
  return await contractIn(internal(workspace), worker, hourly('By the hour', currency, '40', BY_HAND), 'active');
}

/** An active contract with this many milestones of 100 EUR and more, all submitted. */
export async function submittedMilestones(
  count: number,
  workspace = 0,
): Promise<{ contractId: string; ids: string[] }> {
  const access = internal(workspace);
  const worker = await registerWorker(access, 'Walt Worker', 'worker.example');
  const amounts = Array.from({ length: count }, (_, n) => `${100 + n}`);
  const contractId = await contractIn(access, worker, byMilestone('By the milestone', amounts), 'active');
  return { contractId, ids: (await submitMilestones(access, contractId)).map(({ id }) => id) };
}

/** Ten hours in the n-th week of 2026. */
export async function submittedWeek(contractId: string, n: number, workspace = 0): Promise<Submitted> {
  return await submitWeek(internal(workspace), contractId, n, '10');
}

/** The worker's bank details are registered and verified, and funds are available: due payments can be paid. */
export async function readyToPay(workerId: string, currency: string, amount: string): Promise<void> {
  await payTo(internal(), workerId, 'DE02 1203 0000 0000 2020 51');
  await instruct(internal(), operation.REQUEST_FUNDING, operation.transferOf(amount, currency));
}
