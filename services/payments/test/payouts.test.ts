import { derivedId, newId, systemOrigin } from '@payroll/kernel';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { processPayment } from '../src/commands/begin-payout.js';
import { processDue } from '../src/payouts/process-due.js';
import { refreshParties } from '../src/payouts/refresh-parties.js';
import { Scene } from './support/scene.js';
import { TestWorkspace } from './support/test-workspace.js';

const scene = await Scene.open('payments_payouts');
afterAll(() => scene[Symbol.asyncDispose]());

describe('a payment is processed', () => {
  it('at once for a milestone, whatever the contract says, and settled in the same round', async () => {
    const workspace = await TestWorkspace.open(scene);
    await workspace.fund('1000');
    const id = await workspace.milestone(await workspace.contract('DE02120300000000202051'), '400');
    expect(await workspace.payment(id)).toMatchObject({ status: 'pending', scheduledDate: null, payoutAttempts: [] });
    await scene.round();
    expect(await workspace.payment(id)).toMatchObject({
      status: 'completed',
      failureReason: null,
      processedAt: expect.any(String),
      completedAt: expect.any(String),
      payoutAttempts: [
        {
          number: 1,
          status: 'settled',
          providerReference: expect.stringMatching(/^sandbox-milestone:.{36}:1$/) as string,
        },
      ],
    });
    expect(workspace.toldOf(id)).toEqual([
      [2, 'processing'],
      [3, 'completed'],
    ]);
    expect(await workspace.accounts()).toEqual({
      'EUR/funding': '-1000.00',
      'EUR/available': '600.00',
      'EUR/in_flight': '0.00',
      'EUR/settled': '400.00',
    });
  });

  it('at once for a milestone, also while a payday is processed', async () => {
    const workspace = await TestWorkspace.open(scene);
    await workspace.fund('1000');
    const contract = await workspace.contract('sandbox:iban');
    for (let n = 0; n < 9; n += 1) await workspace.timesheet(contract, '1.00', { day: '2020-02-29' });
    const processed: string[] = [];
    let milestone = '';
    let laterMs = 0;
    const now = performance.now.bind(performance);
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + laterMs);
    const run = scene.commands.run.bind(scene.commands) as typeof scene.commands.run;
    const slowly: typeof run = async (command, input, ...more) => {
      milestone ||= await workspace.milestone(contract, '2.00');
      // Six seconds for each.
      laterMs += 6_000;
      processed.push((input as unknown as { paymentId: string }).paymentId);
      return await run(command, input, ...more);
    };
    const commands = Object.create(scene.commands, { run: { value: slowly } }) as typeof scene.commands;
    for (let round = 0; round < 2; round += 1) await processDue({ ...scene.parts, commands });
    clock.mockRestore();
    expect(processed.indexOf(milestone)).toBe(4);
    await scene.round();
  });

  it('on the scheduled date for a timesheet, not earlier, and at once if the date has passed', async () => {
    const workspace = await TestWorkspace.open(scene);
    await workspace.fund('1000');
    const contract = await workspace.contract('sandbox:iban');
    const [past, today, tomorrow] = [
      await workspace.timesheet(contract, '1.00', { day: '2020-02-29' }),
      await workspace.timesheet(contract, '2.00', { day: '2027-06-01' }),
      await workspace.timesheet(contract, '3.00', { day: '2027-06-02' }),
    ];
    await scene.round();
    expect((await workspace.payment(past)).status).toBe('completed');
    expect((await workspace.payment(today)).status).toBe('completed');
    expect((await workspace.payment(tomorrow)).status).toBe('pending');
  });

  it('not before its date by a process whose own clock is 90 days ahead', async () => {
    const workspace = await TestWorkspace.open(scene);
    await workspace.fund('1000');
    const contract = await workspace.contract('sandbox:iban');
    const id = await workspace.timesheet(contract, '3.00', { day: '2027-06-02' });
    const byHand = await workspace.timesheet(contract, '4.00', { autoPay: false });
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2027-09-01T00:00:00Z') });
    try {
      await scene.round();
      // As if the job had listed them anyway.
      const runner = systemOrigin(workspace.id, 'runner', 'req_test');
      for (const paymentId of [id, byHand]) {
        const learned = (await refreshParties(scene.parts, workspace.id, paymentId))!;
        const processed = scene.commands.run(processPayment, { paymentId, learned }, runner);
        await expect(processed).rejects.toMatchObject({ code: 'INVALID_STATE' });
      }
    } finally {
      vi.useRealTimers();
    }
    expect((await workspace.payment(id)).status).toBe('pending');
    expect((await workspace.payment(byHand)).status).toBe('pending');
  });

  it('only by hand without automatic payment', async () => {
    const workspace = await TestWorkspace.open(scene);
    await workspace.fund('1000');
    const id = await workspace.timesheet(await workspace.contract('sandbox:iban'), '80.00', { autoPay: false });
    await scene.round();
    expect((await workspace.payment(id)).status).toBe('pending');
    await workspace.act('requestPayout', id);
    expect(await workspace.payment(id)).toMatchObject({
      status: 'processing',
      payoutAttempts: [{ status: 'prepared' }],
    });
    expect((await workspace.accounts())['EUR/in_flight']).toBe('80.00');
    await scene.round();
    expect((await workspace.payment(id)).status).toBe('completed');
  });

  it('in order of due date: the first due gets the money', async () => {
    const workspace = await TestWorkspace.open(scene);
    await workspace.fund('10');
    const contract = await workspace.contract('sandbox:iban');
    const later = await workspace.timesheet(contract, '10.00', { day: '2027-05-20' });
    const sooner = await workspace.timesheet(contract, '10.00', { day: '2027-05-19' });
    await scene.round();
    expect((await workspace.payment(sooner)).status).toBe('completed');
    expect(await workspace.payment(later)).toMatchObject({ status: 'failed', failureReason: 'insufficient_funds' });
  });

  it('in order of creation for payments of one day', async () => {
    const workspace = await TestWorkspace.open(scene);
    await workspace.fund('50');
    const contract = await workspace.contract('sandbox:iban');
    // Payment ids are digests of the milestones' ids. Here they descend, opposite to the order of creation.
    const idOf = (milestoneId: string): string => derivedId('payment', 'milestone', milestoneId);
    const milestones = Array.from({ length: 10 }, newId).toSorted((a, b) => (idOf(a) < idOf(b) ? 1 : -1));
    const ids: string[] = [];
    for (const milestone of milestones) ids.push(await workspace.milestone(contract, '10.00', 'EUR', milestone));
    await scene.round();
    const statuses = await Promise.all(ids.map(async (id) => (await workspace.payment(id)).status));
    expect(statuses).toEqual([...Array<string>(5).fill('completed'), ...Array<string>(5).fill('failed')]);
  });
});

it.each(['constructor', '__proto__'])('a destination named %s is paid like any other', async (destination) => {
  const workspace = await TestWorkspace.open(scene);
  await workspace.fund('10');
  const contract = await workspace.contract();
  const register = `mutation ($workerId: ID!, $destination: String!) {
    registerPayee(workerId: $workerId, payoutMethod: other, destination: $destination) { id } }`;
  const payee = await workspace.ask<{ id: string }>(register, { workerId: contract.workerId, destination });
  await workspace.verify(payee.id);
  const id = await workspace.milestone(contract, '10.00');
  await scene.round();
  expect((await workspace.payment(id)).status).toBe('completed');
});

describe('a payment that cannot be paid out fails with the reason, and moves no money', () => {
  const refusals = {
    payee_missing: async (workspace: TestWorkspace) => workspace.milestone(await workspace.contract(), '5.00'),
    payee_unverified: async (workspace: TestWorkspace) =>
      workspace.milestone(await workspace.contract('sandbox:iban', false), '5.00'),
    business_unverified: async (workspace: TestWorkspace) => {
      await workspace.business('rejected');
      return await workspace.milestone(await workspace.contract('sandbox:iban'), '5.00');
    },
    insufficient_funds: async (workspace: TestWorkspace) =>
      workspace.milestone(await workspace.contract('sandbox:iban'), '100.01'),
    provider_declined: async (workspace: TestWorkspace) =>
      workspace.milestone(await workspace.contract('sandbox:declines'), '5.00'),
  };

  it.each(Object.entries(refusals))('%s', async (reason, make) => {
    const workspace = await TestWorkspace.open(scene);
    await workspace.fund('100');
    const id = await make(workspace);
    await scene.round();
    expect(await workspace.payment(id)).toMatchObject({ status: 'failed', failureReason: reason, completedAt: null });
    expect(await workspace.accounts()).toMatchObject({ 'EUR/available': '100.00' });
    expect(workspace.toldOf(id).map(([, status]) => status)).toEqual(['processing', 'failed']);
    expect(await workspace.paidOut(id)).toEqual([]);
  });
});

describe('retrying a payment', () => {
  it('after a decline makes a new attempt once the payment is pending again', async () => {
    const workspace = await TestWorkspace.open(scene);
    await workspace.fund('100');
    const id = await workspace.milestone(await workspace.contract('sandbox:declines-once'), '10.00');
    await scene.round();
    expect((await workspace.payment(id)).failureReason).toBe('provider_declined');
    await workspace.act('requestRetry', id);
    expect(await workspace.payment(id)).toMatchObject({
      ...{ status: 'pending', failureReason: null, processedAt: null, completedAt: null },
    });
    await scene.round();
    expect(await workspace.payment(id)).toMatchObject({
      status: 'completed',
      payoutAttempts: [
        { number: 1, status: 'declined' },
        { number: 2, status: 'settled' },
      ],
    });
    expect(workspace.toldOf(id).map(([, status]) => status)).toEqual([
      ...['processing', 'failed'],
      ...['pending', 'processing', 'completed'],
    ]);
    expect(workspace.toldOf(id).map(([sequence]) => sequence)).toEqual([2, 3, 4, 5, 6]);
    expect(await workspace.paidOut(id)).toEqual(['10.00']);
  });

  it('after a lack of funds succeeds once the workspace is funded', async () => {
    const workspace = await TestWorkspace.open(scene);
    const id = await workspace.milestone(await workspace.contract('sandbox:iban'), '10.00');
    await scene.round();
    expect((await workspace.payment(id)).failureReason).toBe('insufficient_funds');
    await workspace.fund('10');
    await workspace.act('requestRetry', id);
    await scene.round();
    expect((await workspace.payment(id)).status).toBe('completed');
    expect((await workspace.accounts())['EUR/available']).toBe('0.00');
  });
});
