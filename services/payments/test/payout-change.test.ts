import { setTimeout as sleep } from 'node:timers/promises';
import { newId, systemOrigin, type Origin } from '@payroll/kernel';
import { sql } from 'kysely';
import { afterAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { processPayment } from '../src/commands/begin-payout.js';
import { refreshParties } from '../src/payouts/refresh-parties.js';
import { answerPayoutChange } from '../src/queries/answers.js';
import { person, worker } from './support/person.js';
import { eventOf, Scene, staff, type GraphqlAnswer } from './support/scene.js';
import { TestWorkspace, type Contract } from './support/test-workspace.js';

const DATABASE = 'payments_payout_change';

let workspace: TestWorkspace;
const scene = await Scene.open(DATABASE);
beforeEach(async () => {
  workspace = await TestWorkspace.open(scene);
  await workspace.fund('5000');
});
afterAll(() => scene[Symbol.asyncDispose]());

const [OLD, NEW, OTHER] = ['DE02120300000000202051', 'DE89370400440532013000', 'DE02500105170137075030'];
const HOUR_MS = 3_600_000;
const RUNNER = (): Origin => systemOrigin(workspace.id, 'runner', 'req_test');

interface Mine {
  version: string;
  holder: string | null;
  destinationEnding: string;
  verificationStatus: string;
  heldUntil: string | null;
  stoppedAt: string | null;
}

interface Paid extends Contract {
  wanda: Origin;
  payeeId: string;
}

const mine = async ({ wanda }: Paid): Promise<Mine> =>
  (
    await workspace.send(
      '{ myPayee { version holder destinationEnding verificationStatus heldUntil stoppedAt } }',
      {},
      wanda,
    )
  ).data!['myPayee'] as Mine;

/** As the worker enters it, or a thief of their session. */
async function enter(wanda: Origin, destination: string, version: string | null): Promise<void> {
  const { errors } = await workspace.send(
    `mutation ($to: String!, $seen: String) { enterMyPayee(holder: "Wanda ${destination.slice(-4)}",
      payoutMethod: bank_transfer, destination: $to, expectedVersion: $seen) { version } }`,
    { to: destination, seen: version },
    wanda,
  );
  expect(errors).toBeUndefined();
}

const verify = async ({ payeeId }: Pick<Paid, 'payeeId'>): Promise<void> =>
  expect((await workspace.verify(payeeId)).errors).toBeUndefined();

/** A worker who is paid to the old account. */
async function paidWorker(): Promise<Paid> {
  const contract = await workspace.contract();
  const wanda = worker(workspace.id, contract.workerId);
  await enter(wanda, OLD, null);
  const [{ id: payeeId }] = (await scene.sql(
    sql<{ id: string }>`select id from payee where worker_id = ${contract.workerId}`,
  )) as [{ id: string }];
  await verify({ payeeId });
  return { ...contract, wanda, payeeId };
}

async function change(paid: Paid, to = NEW): Promise<string> {
  await enter(paid.wanda, to, (await mine(paid)).version);
  const told = scene.told.findLast(({ type }) => type === 'notice.payout-change')!;
  return told.aboutId;
}

const stop = (changeId: string): Promise<void> =>
  scene.hear('payout-change.stopped', workspace.id, changeId, { changeId });

const stateOf = async (changeId: string): Promise<string> =>
  (await answerPayoutChange(scene.parts, { workspaceId: workspace.id, changeId })).state;

describe('a change that the worker stops', () => {
  it('restores the former details, verified and without a hold, and payments that waited are paid there at once', async () => {
    const paid = await paidWorker();
    const changeId = await change(paid);
    await verify(paid);
    const ids = await Promise.all([1, 2, 3].map(() => workspace.milestone(paid, '10')));
    await scene.round();
    expect(await workspace.payment(ids[0]!)).toMatchObject({ status: 'pending', payoutAttempts: [] });
    expect(await stateOf(changeId)).toBe('waiting');
    await stop(changeId);
    expect(await stateOf(changeId)).toBe('stopped');
    expect(await mine(paid)).toMatchObject({
      ...{ holder: 'Wanda 2051', destinationEnding: '2051', verificationStatus: 'verified', heldUntil: null },
      stoppedAt: expect.any(String) as string,
    });
    await scene.round();
    for (const id of ids) {
      expect(await workspace.payment(id)).toMatchObject({ status: 'completed' });
      expect((await workspace.order(id)).destination).toBe(OLD);
      expect(await workspace.paidOut(id)).toEqual(['10.00']);
    }
    await stop(changeId);
    expect(await stateOf(changeId)).toBe('stopped');
  });

  it('is reported to the admins and audited without the accounts, and a verification of the stopped details is stale', async () => {
    const paid = await paidWorker();
    const changeId = await change(paid);
    const version = await workspace.versionOf(paid.payeeId);
    await stop(changeId);
    const late: GraphqlAnswer = await workspace.verify(paid.payeeId, { version, destination: NEW });
    expect(late.errors?.[0]?.extensions.code).toBe('STALE_RESOURCE_VERSION');
    const told = scene.told.filter(({ workspaceId }) => workspaceId === workspace.id);
    expect(told.map(({ type, body }) => [type, body])).toEqual([
      ['notice.payout-change', { changeId, workerId: paid.workerId, until: expect.any(String) as string }],
      ['notice.payment', { kind: 'payout_change_stopped', aboutId: paid.payeeId, workerId: paid.workerId }],
    ]);
    const audit = await scene.sql(
      sql<{ action: string; change: unknown }>`
        select action, change from audit_entry where subject_id = ${paid.payeeId} order by at`,
    );
    expect(audit.at(-1)).toEqual({
      action: 'payee.change-stopped',
      change: { payoutMethod: 'bank_transfer', changedBy: 'wanda@example.com' },
    });
    // Ids and times may contain any digits.
    const text = JSON.stringify([audit, told]).replaceAll(/[\da-f-]{32,36}|\d{4}-\d\d-\d\dT[\d:.]+Z/g, '');
    expect(text).not.toMatch(/2051|3000|Wanda/);
    const shown = '{ payees { nodes { heldUntil stoppedAt } } }';
    for (const by of [person(workspace.id, 'viewer'), staff(workspace.id)]) {
      expect((await workspace.send(shown, {}, by)).data).toEqual({
        payees: { nodes: [{ heldUntil: null, stoppedAt: expect.any(String) as string }] },
      });
    }
  });

  it('is paid to by no process that asked the owners before it was stopped', async () => {
    const paid = await paidWorker();
    const paymentId = await workspace.milestone(paid, '10');
    const changeId = await change(paid);
    const learned = (await refreshParties(scene.parts, workspace.id, paymentId))!;
    await stop(changeId);
    await scene.commands.run(processPayment, { paymentId, learned }, RUNNER());
    expect((await workspace.order(paymentId)).destination).toBe(OLD);
  });

  it('is stopped in the answer to the page, even if the event is still on the way', async () => {
    const paid = await paidWorker();
    const changeId = await change(paid);
    const event = eventOf('payout-change.stopped', workspace.id, changeId, { changeId });
    scene.unreachable.add('payout-change.stopped');
    await expect(stateOf(changeId)).rejects.toThrow('payout-change.stopped');
    scene.unreachable.clear();
    scene.elsewhere.set(`payout-change.stopped/${changeId}`, event);
    expect(await stateOf(changeId)).toBe('stopped');
    await scene.arrive(event);
    expect(await mine(paid)).toMatchObject({ destinationEnding: '2051' });
  });
});

describe('several changes', () => {
  it('within one hold count as one: its links stop the last and restore the details that were paid to, not those verified on hold', async () => {
    const paid = await paidWorker();
    const first = await change(paid, NEW);
    await verify(paid);
    await scene.clock.pass(23 * HOUR_MS);
    expect(await change(paid, OTHER)).toBe(first);
    await scene.clock.pass(2 * HOUR_MS);
    expect(await stateOf(first)).toBe('waiting');
    await stop(first);
    expect(await mine(paid)).toMatchObject({ destinationEnding: '2051', verificationStatus: 'verified' });
  });

  it('of which the first was never verified: stopping the second restores the last verified details', async () => {
    const paid = await paidWorker();
    const first = await change(paid, NEW);
    await scene.clock.pass(25 * HOUR_MS);
    expect(await stateOf(first)).toBe('over');
    const second = await change(paid, OTHER);
    expect(second).not.toBe(first);
    await stop(first);
    expect([await stateOf(first), await stateOf(second)]).toEqual(['over', 'waiting']);
    await stop(second);
    expect(await mine(paid)).toMatchObject({ destinationEnding: '2051' });
  });

  it('are not stopped by the link of one that was stopped before', async () => {
    const paid = await paidWorker();
    const first = await change(paid, NEW);
    await stop(first);
    const second = await change(paid, OTHER);
    expect(await mine(paid)).toMatchObject({ stoppedAt: null });
    expect(await stateOf(first)).toBe('over');
    await stop(first);
    expect(await mine(paid)).toMatchObject({ destinationEnding: '5030' });
    expect(await stateOf(second)).toBe('waiting');
  });

  it('that were each verified and paid to: stopping the last restores the one before', async () => {
    const paid = await paidWorker();
    await change(paid, NEW);
    await verify(paid);
    await scene.clock.pass(25 * HOUR_MS);
    await stop(await change(paid, OTHER));
    expect(await mine(paid)).toMatchObject({ destinationEnding: '3000', verificationStatus: 'verified' });
  });
});

it('after the hold nothing is stopped: the new details are paid to', async () => {
  const paid = await paidWorker();
  const changeId = await change(paid);
  await verify(paid);
  await scene.clock.pass(25 * HOUR_MS);
  await stop(changeId);
  expect(await stateOf(changeId)).toBe('over');
  expect(await mine(paid)).toMatchObject({ destinationEnding: '3000', stoppedAt: null });
  expect(await stateOf(newId())).toBe('over');
});

it('the calendar of the workspace ends the time in which a change can be stopped', async () => {
  const changeId = await change(await paidWorker());
  const move = 'mutation { sandboxMovePaymentCalendar(daysAhead: 2) }';
  await workspace.send(move, {}, person(workspace.id, 'admin'));
  expect(await stateOf(changeId)).toBe('over');
});

it('first details, and a change of ones that were never verified, cause no mail', async () => {
  const wanda = worker(workspace.id, newId());
  await enter(wanda, OLD, null);
  const { data } = await workspace.send('{ myPayee { version } }', {}, wanda);
  await enter(wanda, NEW, (data!['myPayee'] as Mine).version);
  expect(scene.told.filter(({ workspaceId }) => workspaceId === workspace.id)).toEqual([]);
});

it('a change cannot be stopped once our staff have ended the access that made it', async () => {
  const paid = await paidWorker();
  const changeId = await change(paid);
  const accessId = paid.wanda.actor.principalId;
  await scene.hear('worker-access.ended', workspace.id, paid.workerId, { accessId, workerId: paid.workerId });
  expect(await stateOf(changeId)).toBe('over');
  await stop(changeId);
  expect(await mine(paid)).toMatchObject({ destinationEnding: '3000', verificationStatus: 'unverified' });
});

it('restored details no longer count as paid to once our staff have ended the access', async () => {
  const paid = await paidWorker();
  await stop(await change(paid));
  const accessId = paid.wanda.actor.principalId;
  await scene.hear('worker-access.ended', workspace.id, paid.workerId, { accessId, workerId: paid.workerId });
  expect(await mine(paid)).toMatchObject({ verificationStatus: 'unverified', stoppedAt: null });
});

it('a rejected change cannot be stopped once our staff have ended the access that made it', async () => {
  const paid = await paidWorker();
  const changeId = await change(paid);
  const reject = 'mutation ($id: ID!) { rejectPayee(id: $id, reason: "a thief") { id } }';
  expect((await workspace.send(reject, { id: paid.payeeId })).errors).toBeUndefined();
  const accessId = paid.wanda.actor.principalId;
  await scene.hear('worker-access.ended', workspace.id, paid.workerId, { accessId, workerId: paid.workerId });
  expect(await stateOf(changeId)).toBe('over');
});

it('details that were entered with an access are not restored once our staff have ended it, even if others replaced them before the event arrives', async () => {
  const paid = await paidWorker();
  const { principalId: accessId } = paid.wanda.actor;
  const changeId = await change({ ...paid, wanda: worker(workspace.id, paid.workerId) });
  await scene.hear('worker-access.ended', workspace.id, paid.workerId, { accessId, workerId: paid.workerId });
  await stop(changeId);
  expect(await stateOf(changeId)).toBe('over');
  expect(await mine(paid)).toMatchObject({ destinationEnding: '3000', verificationStatus: 'unverified' });
});

it('a change of doubted details is on hold, and no link is mailed that could not restore anything', async () => {
  const paid = await paidWorker();
  const accessId = paid.wanda.actor.principalId;
  await scene.hear('worker-access.ended', workspace.id, paid.workerId, { accessId, workerId: paid.workerId });
  await enter(paid.wanda, NEW, (await mine(paid)).version);
  expect(await mine(paid)).toMatchObject({ destinationEnding: '3000', heldUntil: expect.any(String) as string });
  expect(scene.told.filter(({ workspaceId }) => workspaceId === workspace.id)).toEqual([]);
});

it('a stop that races with a payout at the end of the hold: one account is paid once, and never the stopped one', async () => {
  const rounds = inject('isLongRun') ? 200 : 40;
  await using other = await Scene.over(DATABASE, scene.sandbox);
  const ended = { stopped: 0, over: 0 };
  // Moves towards the moment at which the two meet on this machine.
  let holdMs = 20;
  for (let n = 0; n < rounds; n += 1) {
    const paid = await paidWorker();
    const changeId = await change(paid);
    await verify(paid);
    const id = await workspace.milestone(paid, '10');
    await scene.sql(
      sql`update payee set held_until = clock_timestamp() + ${holdMs} * interval '1 ms' where id = ${paid.payeeId}`,
    );
    const pays = async (): Promise<void> => {
      while ((await workspace.payment(id)).status !== 'completed') await scene.round();
    };
    const stops = async (): Promise<'stopped' | 'over'> => {
      await sleep(Math.random() * 20);
      await other.hear('payout-change.stopped', workspace.id, changeId, { changeId });
      return (await stateOf(changeId)) as 'stopped' | 'over';
    };
    const [state] = await Promise.all([stops(), pays()]);
    ended[state] += 1;
    holdMs *= state === 'over' ? 1.5 : 0.75;
    expect((await workspace.order(id)).destination).toBe(state === 'stopped' ? OLD : NEW);
    expect(await workspace.paidOut(id)).toEqual(['10.00']);
  }
  // Otherwise there was no race.
  expect(Math.min(ended.stopped, ended.over)).toBeGreaterThan(0);
}, 300_000);
