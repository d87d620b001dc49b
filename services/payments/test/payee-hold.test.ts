import { recordReads } from '@payroll/tools/local/read-rows';
import { newId, systemOrigin, type Origin } from '@payroll/kernel';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { processPayment } from '../src/commands/begin-payout.js';
import { processDue } from '../src/payouts/process-due.js';
import { refreshParties } from '../src/payouts/refresh-parties.js';
import { person, worker } from './support/person.js';
import { Scene, type GraphqlAnswer, codeOf } from './support/scene.js';
import { TestWorkspace, type Contract } from './support/test-workspace.js';

let workspace: TestWorkspace;
const scene = await Scene.open('payments_payee_hold');
beforeEach(async () => {
  workspace = await TestWorkspace.open(scene);
});
afterAll(() => scene[Symbol.asyncDispose]());

const [OLD, NEW] = ['DE02120300000000202051', 'DE89370400440532013000'];
const HOUR_MS = 3_600_000;

const payeeOf = async (at: TestWorkspace, { workerId }: Contract): Promise<string> =>
  (
    await at.ask<{ nodes: { id: string }[] }>('query ($w: ID) { payees(workerId: $w) { nodes { id } } }', {
      w: workerId,
    })
  ).nodes[0]!.id;

/** As finance, in place of the worker: the hold is the same. */
async function change(id: string, { to = NEW, isVerified = true, at = workspace } = {}): Promise<void> {
  await at.ask(
    `mutation ($id: ID!, $to: String!) { changePayee(id: $id, payoutMethod: bank_transfer, destination: $to) { id } }`,
    { id, to },
  );
  if (isVerified) expect((await at.verify(id)).errors).toBeUndefined();
}

/** A worker whose verified details were changed a moment ago, and verified again. */
async function changed(at = workspace): Promise<Contract & { payeeId: string }> {
  const contract = await at.contract(OLD);
  const payeeId = await payeeOf(at, contract);
  await change(payeeId, { at });
  return { ...contract, payeeId };
}

const untilOf = (id: string, at = workspace): Promise<{ waitsUntil: string | null; obstacle: string | null }> =>
  at.ask('query ($id: ID!) { payment(id: $id) { waitsUntil obstacle } }', { id });

async function destinationOf(paymentId: string): Promise<string> {
  return (await workspace.order(paymentId)).destination;
}

describe('a change of details that were verified once', () => {
  it('makes 50 payments that are due meanwhile wait, and then all go to the new account by themselves', async () => {
    await workspace.fund('500');
    const contract = await changed();
    const ids: string[] = [];
    for (let n = 0; n < 50; n += 1) ids.push(await workspace.milestone(contract, '10'));
    const before = await workspace.payment(ids[0]!);
    await scene.clock.pass(24 * HOUR_MS - 60_000);
    const { em, reads } = recordReads(scene.em);
    await processDue({ ...scene.parts, em });
    expect(reads.filter(({ text }) => text.includes('contractRevision'))).toEqual([]);
    for (const id of ids) {
      expect(await workspace.payment(id)).toMatchObject({ status: 'pending', failureReason: null, payoutAttempts: [] });
    }
    expect(await workspace.payment(ids[0]!)).toEqual(before);
    await scene.clock.pass(61_000);
    await scene.round();
    for (const id of ids) {
      expect(await workspace.payment(id)).toMatchObject({ status: 'completed' });
      expect(await destinationOf(id)).toBe(NEW);
    }
    expect(await workspace.accounts()).toMatchObject({ 'EUR/available': '0.00', 'EUR/settled': '500.00' });
  }, 60_000);

  it('shows both sides until when, and nothing in the way', async () => {
    await workspace.fund('10');
    const contract = await changed();
    const id = await workspace.milestone(contract, '10');
    const until = expect.stringMatching(/^2027-06-0\dT/) as string;
    expect(await untilOf(id)).toEqual({ waitsUntil: until, obstacle: null });
    const mine = '{ myPayments { nodes { waitsUntil obstacle } } myPayee { heldUntil } }';
    const wanda = worker(workspace.id, contract.workerId);
    const shown = { waitsUntil: until, obstacle: null };
    expect((await workspace.send(mine, {}, wanda)).data).toEqual({
      myPayments: { nodes: [shown] },
      myPayee: { heldUntil: until },
    });
    await scene.clock.pass(25 * HOUR_MS);
    expect((await workspace.send(mine, {}, wanda)).data).toEqual({
      myPayments: { nodes: [{ ...shown, waitsUntil: null }] },
      myPayee: { heldUntil: null },
    });
    expect(await untilOf(id)).toEqual({ waitsUntil: null, obstacle: null });
  });

  it('is held again by a second change, and by one after the first was not accepted', async () => {
    await workspace.fund('10');
    const contract = await workspace.contract(OLD);
    const payeeId = await payeeOf(workspace, contract);
    await change(payeeId, { isVerified: false });
    await scene.clock.pass(23 * HOUR_MS);
    await change(payeeId, { isVerified: false });
    await workspace.ask('mutation ($id: ID!) { rejectPayee(id: $id, reason: "r") { id } }', { id: payeeId });
    await scene.clock.pass(30 * HOUR_MS);
    await change(payeeId);
    const id = await workspace.milestone(contract, '10');
    await scene.round();
    expect(await workspace.payment(id)).toMatchObject({ status: 'pending' });
  });

  it('fails payments after the hold if it is not verified by then', async () => {
    await workspace.fund('10');
    const contract = await workspace.contract(OLD);
    await change(await payeeOf(workspace, contract), { isVerified: false });
    const id = await workspace.milestone(contract, '10');
    await scene.round();
    expect(await workspace.payment(id)).toMatchObject({ status: 'pending', failureReason: null });
    await scene.clock.pass(25 * HOUR_MS);
    await scene.round();
    expect(await workspace.payment(id)).toMatchObject({ status: 'failed', failureReason: 'payee_unverified' });
  });

  it('of first details that were never verified has no hold', async () => {
    await workspace.fund('10');
    const contract = await workspace.contract(OLD, false);
    await change(await payeeOf(workspace, contract));
    const id = await workspace.milestone(contract, '10');
    await scene.round();
    expect(await workspace.payment(id)).toMatchObject({ status: 'completed' });
    expect(await destinationOf(id)).toBe(NEW);
  });
});

describe('nothing is paid to the new account within the hold', () => {
  it('by a process that listed the payment and asked the owners before the change', async () => {
    await workspace.fund('10');
    const contract = await workspace.contract(OLD);
    const paymentId = await workspace.milestone(contract, '10');
    const learned = (await refreshParties(scene.parts, workspace.id, paymentId))!;
    await change(await payeeOf(workspace, contract));
    const runner = systemOrigin(workspace.id, 'runner', 'req_test');
    await scene.commands.run(processPayment, { paymentId, learned }, runner);
    await scene.round();
    expect(await workspace.payment(paymentId)).toMatchObject({ status: 'pending', payoutAttempts: [] });
  });

  it('by an admin, or by two people of finance', async () => {
    await workspace.fund('10');
    const contract = await changed();
    const id = await workspace.timesheet(contract, '10', { autoPay: false });
    const pay =
      'mutation ($id: ID!, $seen: String!) { initiatePayout(paymentId: $id, expectedVersion: $seen) { status } }';
    const admin: Origin = person(workspace.id, 'admin');
    const { updatedAt: seen } = await workspace.payment(id);
    const refused = await workspace.send(pay, { id, seen }, admin);
    expect(codeOf(refused)).toBe('INVALID_STATE');
    expect(refused.errors?.[0]?.message).toMatch(/nothing is paid to them before 2027-06-\d\d \d\d:\d\d UTC\.$/);
    expect(codeOf(await workspace.act('requestPayout', id))).toBe('INVALID_STATE');
    expect(await workspace.payment(id)).toMatchObject({ status: 'pending', payoutAttempts: [] });
    await scene.clock.pass(25 * HOUR_MS);
    expect((await workspace.send(pay, { id, seen }, admin)).data).toMatchObject({
      initiatePayout: { status: 'processing' },
    });
  });
});

describe('the calendar of a workspace', () => {
  const move = (daysAhead: number): Promise<GraphqlAnswer> =>
    workspace.send(
      `mutation { sandboxMovePaymentCalendar(daysAhead: ${daysAhead}) }`,
      {},
      person(workspace.id, 'admin'),
    );

  it('ends the hold, and a hold that begins on a later day of it lasts as long', async () => {
    await workspace.fund('20');
    const first = await workspace.milestone(await changed(), '10');
    await scene.round();
    expect(await workspace.payment(first)).toMatchObject({ status: 'pending' });
    await move(2);
    await scene.round();
    expect(await workspace.payment(first)).toMatchObject({ status: 'completed' });
    const second = await workspace.milestone(await changed(), '10');
    await scene.round();
    expect(await workspace.payment(second)).toMatchObject({ status: 'pending' });
    await move(3);
    await scene.round();
    expect(await workspace.payment(second)).toMatchObject({ status: 'completed' });
  });

  it('is not used in a live deployment, even if the table was copied from a test one', async () => {
    await using live = await Scene.open('payments_payee_hold_live', undefined, 'live');
    const there = await TestWorkspace.open(live);
    await there.fund('10');
    const contract = await changed(there);
    await live.em.execute('insert into calendar (workspace_id, days_ahead) values (?, 30)', [there.id]);
    const id = await there.milestone(contract, '10', 'EUR', newId());
    await live.round();
    expect(await there.payment(id)).toMatchObject({ status: 'pending' });
    await live.clock.pass(25 * HOUR_MS);
    await live.round();
    expect(await there.payment(id)).toMatchObject({ status: 'completed' });
  });
});

it('details are doubted once our staff end the access that entered them: payments due meanwhile wait, and verified ones then go', async () => {
  await workspace.fund('20');
  const contract = await workspace.contract();
  const wanda = worker(workspace.id, contract.workerId);
  const enter = `mutation ($to: String!) {
    enterMyPayee(holder: "Wanda Weber", payoutMethod: bank_transfer, destination: $to) { version } }`;
  expect((await workspace.send(enter, { to: OLD }, wanda)).errors).toBeUndefined();
  const payeeId = await payeeOf(workspace, contract);
  await workspace.verify(payeeId);
  const ended = async (accessId: string): Promise<void> => {
    const { workerId } = contract;
    await scene.hear('worker-access.ended', workspace.id, workerId, { accessId, workerId });
  };
  const status = async () =>
    await workspace.ask('query ($w: ID) { payees(workerId: $w) { nodes { verificationStatus } } }', {
      w: contract.workerId,
    });
  await ended(newId());
  expect(await status()).toEqual({ nodes: [{ verificationStatus: 'verified' }] });
  await ended(wanda.actor.principalId);
  expect(await status()).toEqual({ nodes: [{ verificationStatus: 'unverified' }] });
  const id = await workspace.milestone(contract, '10');
  await scene.round();
  expect(await workspace.payment(id)).toMatchObject({ status: 'pending', failureReason: null, payoutAttempts: [] });
  await workspace.verify(payeeId);
  await scene.clock.pass(24 * HOUR_MS + 60_000);
  await scene.round();
  expect(await workspace.payment(id)).toMatchObject({ status: 'completed' });
});
