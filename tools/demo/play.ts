import { randomUUID } from 'node:crypto';
import { Money } from '@payroll/kernel';
import { noOptions, runCommand } from '../cli.js';
import { runningStack, type DemoWorkspace } from '../local/stack-file.js';
import { accessTo } from './graphql-client.js';
import * as operation from './operations.js';
import { settle } from './seed-payments.js';
import { BrokenPromise, Stage } from './stage.js';

const USAGE = `Usage: npm run demo

Plays the main job against the running system (npm start), printing every request and answer: an integrator drafts a
contract, internal teams take it to active, work is submitted, the integrator approves it, and the payment is there.
Stops with exit code 1 at the first thing that is not as promised.
`;

async function play(): Promise<void> {
  const stack = runningStack();
  if (!stack) throw new BrokenPromise('Nothing runs here: start it in another terminal with  npm start');
  const [workspace] = stack.workspaces ?? [];
  if (!workspace) throw new BrokenPromise('The running system has no demo data: start it with  npm start');
  const stage = new Stage(stack.rest.url, accessTo(stack.graphql, workspace.id));
  const contractId = await draftContract(stage, workspace);
  const workerId = await activate(stage, contractId, workspace);
  const work = await approveWork(stage, contractId, workspace);

  stage.title('The payment is there at the next read');
  const payment = await stage.rest(workspace.apiKeys.admin, 'GET', `/payments/${work.paymentId}`, 200);
  stage.promise(payment['timesheetId'] === work.timesheetId, 'it is the payment of this work');
  stage.promise(payment['scheduledDate'] === '2026-02-18', 'due ten days after the period');
  await settlePayment(stage, { contractId, workerId, paymentId: work.paymentId });
  stage.title('All as promised');
}

async function draftContract(stage: Stage, { id, apiKeys: { member } }: DemoWorkspace): Promise<string> {
  stage.title('An integrator looks at its workspace and drafts a contract');
  const business = await stage.rest(member, 'GET', '/business', 200);
  stage.promise(business['id'] === id, 'the key opens its own workspace');
  const draft = {
    title: 'Data platform, second phase',
    contractType: 'contractor_payg',
    startDate: '2026-02-01',
    externalReference: `demo-${randomUUID()}`,
    compensation: { type: 'hourly', currency: 'EUR', rate: 92.75 },
    invoicingSettings: { paymentDueDays: 10, autoPayEnabled: false },
  };
  const key = randomUUID();
  const contract = await stage.rest(member, 'POST', '/contracts', 201, draft, key);
  const again = await stage.rest(member, 'POST', '/contracts', 201, draft, key);
  stage.promise(again['id'] === contract['id'], 'the same request again made no second contract');
  return String(contract['id']);
}

async function activate(stage: Stage, id: string, { apiKeys: { member } }: DemoWorkspace): Promise<string> {
  stage.title('Internal teams name the worker and take it to active');
  const nia = { name: 'Nia Novak', email: 'nia@example.com' };
  const worker = await stage.graphql<{ id: string }>(operation.REGISTER_WORKER, nia);
  await stage.graphql(operation.ASSIGN_WORKER, { id, workerId: worker.id });
  for (const step of operation.stepsTo('active')) await stage.graphql(step, { id });
  const active = await stage.rest(member, 'GET', `/contracts/${id}`, 200);
  stage.promise(active['status'] === 'active', 'the contract is active');
  return worker.id;
}

async function approveWork(
  stage: Stage,
  contractId: string,
  { apiKeys: { admin, member } }: DemoWorkspace,
): Promise<Record<'timesheetId' | 'paymentId', string>> {
  stage.title('Work is submitted; the integrator approves what it has seen');
  const work = { contractId, periodStart: '2026-02-02', periodEnd: '2026-02-08', unitsWorked: '37.75' };
  const submitted = await stage.graphql<{ id: string }>(operation.SUBMIT_TIMESHEET, { input: work });
  const timesheet = await stage.rest(admin, 'GET', `/timesheets/${submitted.id}`, 200);
  const isExact = JSON.stringify(timesheet['total']).includes('"3501.31"');
  stage.promise(isExact, '92.75 × 37.75 is 3501.31, rounded half-even');
  const expectedVersion = timesheet['version'];
  const approval = `/timesheets/${submitted.id}/approve`;
  await stage.rest(member, 'POST', approval, 403, { expectedVersion }, randomUUID());
  const approved = await stage.rest(admin, 'POST', approval, 200, { expectedVersion }, randomUUID());
  const isApproved = approved['status'] === 'approved' && approved['paymentId'] !== null;
  stage.promise(isApproved, 'approved, and the payment has an id');
  await stage.rest(admin, 'POST', approval, 409, { expectedVersion }, randomUUID());
  return { timesheetId: submitted.id, paymentId: String(approved['paymentId']) };
}

/** Verifies the worker's bank details, has two people release the payout, and expects exactly its amount to leave. */
async function settlePayment(
  stage: Stage,
  ids: Record<'contractId' | 'workerId' | 'paymentId', string>,
): Promise<void> {
  stage.title('The money moves');
  const before = await stage.available();
  const [first, second] = stage.access.finance;
  const destination = 'DE02 1203 0000 0000 2020 51';
  const payee = await stage.graphql<{ id: string; version: string }>(operation.REGISTER_PAYEE, {
    workerId: ids.workerId,
    destination,
  });
  await stage.graphql(operation.VERIFY_PAYEE, { id: payee.id, version: payee.version, destination }, first);
  const payout = await stage.graphql<{ id: string }>(operation.REQUEST_PAYOUT, { id: ids.paymentId }, first);
  await stage.graphql(operation.COUNTERSIGN, { id: payout.id }, second);
  await settle(stage.access, ids.paymentId, 'completed');
  await stage.graphql(operation.PAYMENT, { id: ids.paymentId });
  const after = await stage.available();
  const moved = Money.of(before, 'EUR').minus(Money.of(after, 'EUR'));
  stage.promise(moved.amount === '3501.31', `available: ${before} − 3501.31 = ${after} EUR`);
  await stage.graphql(operation.CONTRACT_WITH_PAYMENTS, { id: ids.contractId });
}

await runCommand('demo', { usage: USAGE, read: noOptions, run: play });
