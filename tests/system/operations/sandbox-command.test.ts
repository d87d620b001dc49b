import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, vi } from 'vitest';
import { payTo } from '@payroll/tools/demo/seed-payments';
import { byMilestone, contractIn, hourly, registerWorker } from '@payroll/tools/demo/steps';
import { repositoryRoot } from '@payroll/infra/processes';
import { joinSystem, type Json } from '../support.js';

const system = await joinSystem();
const access = system.access();
const worker = await registerWorker(access, 'Sandy Sample', 'example.com');
await payTo(access, worker.id, 'sandbox:stays-under-way');
const contract = await contractIn(access, worker, hourly('Played', 'EUR', '50'), 'active');

const eventually = { timeout: 30_000, interval: 200 };

/** `npm run sandbox -- …`, as against a remote system. */
async function sandbox(line: string): Promise<Json> {
  const { url, token, workspaceId } = system.access();
  const env = { ...process.env, GRAPHQL_URL: url, TOKEN: token, WORKSPACE: workspaceId };
  const program = join(repositoryRoot, 'tools/dist/demo/sandbox.js');
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...line.split(' ')], { env });
  return JSON.parse(stdout) as Json;
}

const read = (path: string): Promise<{ body: Json }> => system.rest(system.workspaces[0].apiKeys.admin, 'GET', path);

/** The worker submits a week, and the integration under test approves it. */
async function approved(from: string, to: string): Promise<string> {
  const submitted = await sandbox(`submit-timesheet --contract ${contract} --from ${from} --to ${to} --units 8`);
  expect(submitted).toMatchObject({ status: 'submitted', total: { amount: '400.00', currency: 'EUR' } });
  const { version: expectedVersion } = (await read(`/timesheets/${submitted['id']}`)).body;
  const { admin } = system.workspaces[0].apiKeys;
  const { body } = await system.rest(admin, 'POST', `/timesheets/${submitted['id']}/approve`, { expectedVersion });
  return String(body['paymentId']);
}

const becomes = (payment: string, status: string): Promise<void> =>
  vi.waitFor(async () => expect((await read(`/payments/${payment}`)).body['status']).toBe(status), eventually);

it('plays a payment to its end: work is submitted, funds arrive, the day passes, the provider settles', async () => {
  // Another test may have verified it in this workspace.
  await sandbox('verify-business').catch((error: unknown) =>
    expect(error).toMatchObject({ stderr: expect.stringContaining('INVALID_STATE') }),
  );
  expect((await read('/business')).body).toMatchObject({ kybStatus: 'verified' });
  expect(await sandbox('fund --amount 1000.00 --currency EUR')).toEqual({ amount: '1000.00', currency: 'EUR' });
  const payment = await approved('2027-01-04', '2027-01-10');
  expect(await sandbox(`make-due --payment ${payment}`)).toMatchObject({ id: payment, status: 'pending' });
  await becomes(payment, 'processing');
  await vi.waitFor(() => sandbox(`settle --payment ${payment}`), eventually);
  await becomes(payment, 'completed');
});

it('after the provider declines, the payment has failed', async () => {
  const payment = await approved('2027-01-11', '2027-01-17');
  await sandbox(`make-due --payment ${payment}`);
  await vi.waitFor(() => sandbox(`decline --payment ${payment}`), eventually);
  await becomes(payment, 'failed');
});

it('a worker signs the current text and submits a milestone', async () => {
  const draft = byMilestone('By steps', ['10']);
  const unsigned = await contractIn(system.access(), worker, draft, 'pending_signature');
  expect(await sandbox(`sign --contract ${unsigned}`)).toMatchObject({ id: unsigned });
  const active = await contractIn(system.access(), worker, draft, 'active');
  const [milestone] = (await read(`/contracts/${active}/milestones`)).body['data'] as Json[];
  expect(await sandbox(`submit-milestone --milestone ${milestone!['id']}`)).toMatchObject({ status: 'submitted' });
});

it('its calendar advances by days', async () => {
  const payment = await approved('2027-01-18', '2027-01-24');
  expect(await sandbox('advance --days 365')).toEqual({ daysAhead: 365 });
  expect(await sandbox('advance --days 2')).toEqual({ daysAhead: 367 });
  await becomes(payment, 'processing');
  expect((await read(`/payments/${payment}`)).body['processedAt']).toMatch(
    new RegExp(`^${new Date().getUTCFullYear()}`),
  );
});

it('a refusal is printed as one sentence', async () => {
  await expect(sandbox(`settle --payment ${contract}`)).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^sandbox: NOT_FOUND: .+\n$/),
  });
  await expect(sandbox('fund --amount 5')).rejects.toMatchObject({ stderr: expect.stringContaining('--currency') });
});
