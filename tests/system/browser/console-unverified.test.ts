import { ask } from '@payroll/tools/demo/graphql-client';
import { runWorkspacesCommand } from '@payroll/tools/demo/operator';
import { afterAll, expect, it, vi } from 'vitest';
import { joinSystem, submittedTimesheet, type System } from '../support.js';
import { LATER, MoneyPages, type Terms } from './money-pages.js';
import { newPeople } from './visitor.js';

// In a workspace whose business is not verified, compares what pages say about its payments with what happens to them.

const started = new AsyncDisposableStack();
const joined = await joinSystem();
const made = await runWorkspacesCommand(joined.stack, [
  ...['create-workspace', '--name', 'Not verified', '--country', 'DE', '--kyb', 'not_started'],
  ...['--admin-name', 'Ada Admin', '--admin-email', `admin-${crypto.randomUUID()}@people.example`],
]);
const { workspaceId: id } = JSON.parse(made) as { workspaceId: string };
const workspace = { ...joined.workspaces[0], id, name: 'Not verified' };
const access: System['access'] = (of = workspace) => joined.access(of);
const graphql: System['graphql'] = (query, variables) => ask(access(), query, variables);
const system: System = { ...joined, workspaces: [workspace, joined.workspaces[1]], access, graphql };
const owner = ['--name', 'Verifies', '--owner', 'olga@example.com'];
const token = await runWorkspacesCommand(joined.stack, [
  ...['create-token', '--team', 'operations', '--days', '1'],
  ...owner,
]);
/** As the team that verifies businesses. */
const operations: Parameters<typeof ask>[0] = { ...access(), token: token.split('\n')[0]! };
const admin = (await newPeople(system, workspace)).admin.browser;
const pages = new MoneyPages(system, admin);
afterAll(async () => await started.disposeAsync());

const textOf = async (path: string): Promise<string> => (await admin.get(pages.room(path))).text;

async function approved(terms: Terms): Promise<{ contractId: string; paymentId: string }> {
  const contractId = await pages.contract(await pages.payable(), terms);
  const { id } = await submittedTimesheet(system.access(), contractId);
  const address = pages.room(`/review/timesheet/${id}`);
  return { contractId, paymentId: await pages.approve(await admin.get(address), address) };
}

async function becomes(kybStatus: string): Promise<void> {
  const query = 'mutation ($to: KybStatus!) { setVerificationStatus(kybStatus: $to) { id } }';
  await ask(operations, query, { to: kybStatus });
}

it('due payments of an unverified business fail, as its pages say, and are retried once it is verified', async () => {
  const before = 'Verification has not started. Payments that are due before it is over fail; you can try them again.';
  for (const page of ['/integration', ''])
    expect(await textOf(page)).toContain(`${before} Contact support to start it.`);
  expect(await textOf('')).toContain('Verify it in the sandbox');
  await becomes('pending');
  const says = 'The business is being verified. Payments that are due before that fail; you can try them again.';
  expect(await textOf('/integration')).toContain(says);
  await pages.fund('5000');

  const later = await approved({ days: LATER, auto: true });
  expect(await textOf(`/payments/${later.paymentId}`)).toContain('Otherwise it fails when it is due.');
  expect(await textOf('')).toContain('No payment is scheduled until ');

  const byHand = await approved({ days: 0, auto: false });
  expect(await textOf(`/contracts/${byHand.contractId}`)).toContain('On the pay date');
  expect(await textOf(`/contracts/${byHand.contractId}`)).toContain('An admin starts the payment');
  const waiting = await textOf(`/payments/${byHand.paymentId}`);
  for (const each of [
    'It cannot be paid yet',
    'Your business is not verified, so nothing can be paid out.',
    'After that you can pay it.',
  ]) {
    expect(waiting).toContain(each);
  }
  expect(await textOf('')).toContain('Covered by your balance of');

  const { paymentId } = await approved({ days: 0, auto: true });
  await vi.waitFor(async () => expect(await pages.statusOf(paymentId)).toBe('failed'), 20_000);
  const failed = await textOf(`/payments/${paymentId}`);
  const why =
    'Your business had not been verified, so nothing could be paid out. Finish the verification of your business.';
  expect(failed).toContain(`${why} After that you can try it again.`);

  await becomes('rejected');
  const refused = 'The business could not be verified, so no payouts are made. Contact support.';
  expect(await textOf('/integration')).toContain(refused);
  expect(await pages.forced(byHand.paymentId, 'pay')).toBe(303);
  expect(await pages.statusOf(byHand.paymentId)).toBe('failed');

  await system.graphql('mutation { sandboxVerifyBusiness { id } }');
  expect(await textOf('/integration')).toContain('The business is verified; payouts can be made.');
  const isOffered = async (): Promise<void> =>
    expect(await textOf(`/payments/${paymentId}`)).toContain('That is no longer so. Try again');
  await vi.waitFor(isOffered, 20_000);
  const retry = pages.room(`/payments/${paymentId}/retry`);
  expect((await admin.submit(await admin.get(retry), retry)).status).toBe(303);
  await vi.waitFor(async () => expect(await pages.statusOf(paymentId)).toBe('completed'), 20_000);
}, 120_000);
