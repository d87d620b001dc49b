import { analyzeDatabase, mostRowsRead, recordReads } from '@payroll/tools/local/read-rows';
import { newId, systemOrigin, type Origin } from '@payroll/kernel';
import { sql, write } from '@payroll/store';
import { afterAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { processPayment } from '../src/commands/begin-payout.js';
import { processDue } from '../src/payouts/process-due.js';
import { refreshParties } from '../src/payouts/refresh-parties.js';
import { person } from './support/person.js';
import { Scene, type GraphqlAnswer, codeOf } from './support/scene.js';
import { TestWorkspace } from './support/test-workspace.js';

let workspace: TestWorkspace;
let admin: Origin;
const scene = await Scene.open('payments_sandbox');
const live = await Scene.open('payments_sandbox_live', undefined, 'live');
beforeEach(async () => {
  workspace = await TestWorkspace.open(scene);
  admin = person(workspace.id, 'admin');
});
afterAll(async () => {
  await scene?.[Symbol.asyncDispose]();
  await live?.[Symbol.asyncDispose]();
});

const FUND = `mutation ($operationId: ID) { sandboxFund(amount: "50.00", currency: "EUR", operationId: $operationId) { amount currency } }`;
const finish = async (paymentId: string, outcome: 'settled' | 'declined', operationId = newId()) =>
  await workspace.send(
    `mutation ($id: ID!, $operationId: ID) { sandboxFinishPayout(paymentId: $id, outcome: ${outcome}, operationId: $operationId) { id } }`,
    { id: paymentId, operationId },
    admin,
  );

it('a funding arrives once per operation, booked to the person who played the bank', async () => {
  const operationId = newId();
  for (const _ of [1, 2]) {
    const answer = await workspace.send(FUND, { operationId }, admin);
    expect(answer.data).toEqual({ sandboxFund: { amount: '50.00', currency: 'EUR' } });
  }
  expect(await workspace.accounts()).toEqual({ 'EUR/funding': '-50.00', 'EUR/available': '50.00' });
});

it('an admin registers and verifies a payee, and money is paid to it', async () => {
  await workspace.send(FUND, {}, admin);
  const contract = await workspace.contract();
  const register = `mutation ($w: ID!) { registerPayee(workerId: $w, payoutMethod: wise, destination: "sandbox:iban") { id version } }`;
  const given = await workspace.send(register, { w: contract.workerId }, admin);
  const { id, version } = given.data!['registerPayee'] as { id: string; version: string };
  const verify = `mutation ($id: ID!, $seen: String!) { sandboxVerifyPayee(id: $id, expectedVersion: $seen) { verificationStatus } }`;
  expect(codeOf(await workspace.send(verify, { id, seen: 'older' }, admin))).toBe('STALE_RESOURCE_VERSION');
  expect((await workspace.send(verify, { id, seen: version }, admin)).data).toEqual({
    sandboxVerifyPayee: { verificationStatus: 'verified' },
  });
  const paymentId = await workspace.milestone(contract, '20.00');
  await scene.round();
  expect(await workspace.payment(paymentId)).toMatchObject({ status: 'completed' });
});

it.each([
  ['settled', 'completed'],
  ['declined', 'failed'],
] as const)('an admin has a payout %s: the payment is %s', async (outcome, status) => {
  await workspace.fund('50.00');
  const id = await workspace.milestone(await workspace.contract('sandbox:stays-under-way'), '20.00');
  expect(codeOf(await finish(id, outcome))).toBe('INVALID_STATE');
  await scene.round();
  expect(await workspace.payment(id)).toMatchObject({ status: 'processing' });
  const operationId = newId();
  expect((await finish(id, outcome, operationId)).errors).toBeUndefined();
  expect((await finish(id, outcome, operationId)).errors).toBeUndefined();
  await scene.passTwoHours();
  await scene.round();
  expect(await workspace.payment(id)).toMatchObject({ status });
  expect(codeOf(await finish(id, outcome))).toBe('INVALID_STATE');
});

it('a payment is made due today, and not again', async () => {
  await workspace.fund('50.00');
  const id = await workspace.timesheet(await workspace.contract('sandbox:iban'), '20.00', { day: '2027-12-01' });
  await scene.round();
  expect(await workspace.payment(id)).toMatchObject({ status: 'pending' });
  const due = await workspace.send(`mutation { sandboxMakeDue(paymentId: "${id}") { scheduledDate } }`, {}, admin);
  expect(due.errors).toBeUndefined();
  await scene.round();
  expect(await workspace.payment(id)).toMatchObject({ status: 'completed' });
});

describe('the calendar of payments', () => {
  const move = async (daysAhead: number, at = workspace): Promise<GraphqlAnswer> =>
    await at.send(`mutation { sandboxMovePaymentCalendar(daysAhead: ${daysAhead}) }`, {}, person(at.id, 'admin'));
  const dated = async (at: TestWorkspace, day: string): Promise<string> => {
    await at.fund('50.00');
    return await at.timesheet(await at.contract('DE02120300000000202051'), '20.00', { day });
  };

  it('pays what is due by its day, in that workspace only, with real timestamps', async () => {
    const other = await TestWorkspace.open(scene);
    const elsewhere = await dated(other, '2027-06-11');
    const [tenth, eleventh] = [await dated(workspace, '2027-06-11'), await dated(workspace, '2027-06-12')];
    expect((await move(10)).data).toEqual({ sandboxMovePaymentCalendar: 10 });
    await scene.round();
    const { processedAt, ...paid } = await workspace.payment(tenth);
    expect(paid).toMatchObject({ status: 'completed', scheduledDate: '2027-06-11' });
    expect(processedAt).toMatch(/^2027-06-01T/);
    expect(await workspace.payment(eleventh)).toMatchObject({ status: 'pending' });
    expect(await other.payment(elsewhere)).toMatchObject({ status: 'pending' });
    const due = await workspace.send(`mutation { sandboxMakeDue(paymentId: "${eleventh}") { id } }`, {}, admin);
    expect(due.errors).toBeUndefined();
  });

  it('shifts upcoming payments', async () => {
    await dated(workspace, '2027-06-12');
    await move(60);
    const upcoming = await workspace.send('{ sandboxDaysAhead upcoming { weeks { week } } }', {}, admin);
    // 31 July 2027 is a Saturday.
    expect(upcoming.data).toEqual({ sandboxDaysAhead: 60, upcoming: { weeks: [{ week: '2027-07-26' }] } });
  });

  it('moves forward only, and a repeated move changes nothing', async () => {
    for (const days of [3, 3]) expect((await move(days)).errors).toBeUndefined();
    for (const days of [2, -1, 3_651]) expect(codeOf(await move(days))).toBe('VALIDATION_FAILED');
    expect((await workspace.send('{ sandboxDaysAhead }', {}, admin)).data).toEqual({ sandboxDaysAhead: 3 });
  });

  it('uses the calendar as read in the transaction, not as the job read it before', async () => {
    const paymentId = await dated(workspace, '2027-06-11');
    const learned = { ...(await refreshParties(scene.parts, workspace.id, paymentId))!, daysAhead: 30 };
    const runner = systemOrigin(workspace.id, 'runner', 'req_test');
    const process = () => scene.commands.run(processPayment, { paymentId, learned }, runner);
    for (const days of [0, 9]) {
      await move(days);
      await expect(process()).rejects.toMatchObject({ code: 'INVALID_STATE' });
    }
    await move(10);
    await process();
    expect(await workspace.payment(paymentId)).toMatchObject({ status: 'processing' });
  });

  it('has no effect in a live deployment, even if the table was copied from a test one', async () => {
    const there = await TestWorkspace.open(live);
    await live.em.execute('insert into calendar (workspace_id, days_ahead) values (?, 30)', [there.id]);
    const id = await dated(there, '2027-06-11');
    await live.round();
    expect(await there.payment(id)).toMatchObject({ status: 'pending' });
  });
});

describe('every command of the sandbox', () => {
  const COMMANDS = [
    FUND.replace('($operationId: ID)', '').replace(', operationId: $operationId', ''),
    `mutation { sandboxVerifyPayee(id: "${newId()}", expectedVersion: "x") { id } }`,
    `mutation { sandboxMakeDue(paymentId: "${newId()}") { id } }`,
    'mutation { sandboxMovePaymentCalendar(daysAhead: 1) }',
    `mutation { sandboxFinishPayout(paymentId: "${newId()}", outcome: settled) { id } }`,
  ];

  it.each(COMMANDS)('%s is for an admin in person, in their own workspace only', async (mutation) => {
    const { actor } = admin;
    const key = { ...admin, actor: { ...actor, kind: 'api_key' } as Origin['actor'] };
    const others = [person(workspace.id, 'member'), person(workspace.id, 'viewer'), workspace.origin, key];
    for (const other of others) {
      expect(codeOf(await workspace.send(mutation, {}, other)), other.actor.kind).toBe('INSUFFICIENT_SCOPE');
    }
    expect(codeOf(await workspace.send(mutation, {}, admin))).not.toBe('INSUFFICIENT_SCOPE');
  });

  it.each(COMMANDS)('%s is denied to everyone in a live deployment', async (mutation) => {
    const there = new TestWorkspace(live);
    const { actor } = there.origin;
    const service = { ...there.origin, actor: { ...actor, kind: 'service' } as Origin['actor'] };
    for (const who of [person(there.id, 'admin'), there.origin, service]) {
      expect(codeOf(await there.send(mutation, {}, who)), who.actor.kind).toBe('INSUFFICIENT_SCOPE');
    }
    expect(await there.accounts()).toEqual({});
  });
});

describe('a round of payouts', () => {
  const MANY = 4_000;
  /** Payments due one day apart from tomorrow on, spread over ten years. */
  const fill = (workspaceId: string, { status, auto }: { status: string; auto: boolean }): Promise<unknown> =>
    write(
      scene.em,
      sql`insert into payment (workspace_id, id, contract_id, source_type, source_id, status, sequence, currency, gross, net,
          scheduled_date, auto_pay_enabled, created_at, updated_at)
        select ${workspaceId}, gen_random_uuid(), gen_random_uuid(), 'timesheet', gen_random_uuid(), ${status}, 0, 'EUR', 10, 10,
          clock_timestamp()::date + 1 + n % 3600, ${auto}, now(), now()
        from generate_series(1, ${MANY}) n`,
    );

  it('reads few rows if a workspace is thousands of days ahead with thousands of payments', async () => {
    await fill(newId(), { status: 'pending', auto: true });
    const move = 'mutation { sandboxMovePaymentCalendar(daysAhead: 3650) }';
    expect((await workspace.send(move, {}, admin)).errors).toBeUndefined();
    await fill(workspace.id, { status: 'completed', auto: true });
    await fill(workspace.id, { status: 'pending', auto: false });
    await analyzeDatabase(inject('backends'), 'payments_sandbox');
    const { em, reads } = recordReads(scene.em);
    await processDue({ ...scene.parts, em });
    const listed = reads.filter(({ text }) => text.includes('lateral'));
    expect(listed).toHaveLength(1);
    expect(await mostRowsRead(scene.em, listed[0]!)).toBeLessThan(MANY / 10);
  });
});
