import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Submitted } from '@payroll/tools/demo/steps';
import { submittedMilestones } from '../milestones.js';
import { noPgBackRest, whyNoPgBackRest } from '../../support/backups.js';
import { startSystem, type System } from '../support.js';
import { ArchivedDatabase, eventually } from './archived-database.js';

// The database is restored to a point in time by infra/postgres/backups.sh. The provider's orders are not restored.

const started = new AsyncDisposableStack();
let system: System;
let database: ArchivedDatabase;

const nothingIsWrong = (): Promise<void> => expect.poll(() => database.wrong(), eventually).toEqual([]);

async function approve({ id, version }: Submitted): Promise<void> {
  const { admin } = system.workspaces[0].apiKeys;
  const answer = () => system.rest(admin, 'POST', `/milestones/${id}/approve`, { expectedVersion: version });
  await expect.poll(async () => (await answer()).status, eventually).toBe(200);
}

async function statusOf({ id }: Submitted): Promise<unknown> {
  return (await system.rest(system.workspaces[0].apiKeys.admin, 'GET', `/milestones/${id}`)).body['status'];
}

const isPaid = (piece: Submitted): Promise<void> => expect.poll(() => statusOf(piece), eventually).toBe('paid');

async function attempts(): Promise<string[]> {
  const rows = await database.rows<{ key: string }>(
    'select idempotency_key as key from payments.payout_attempt order by 1',
  );
  return rows.map(({ key }) => key);
}

describe.skipIf(noPgBackRest)(`a system that is restored${whyNoPgBackRest}`, () => {
  beforeAll(async () => {
    system = started.use(await startSystem());
    database = await ArchivedDatabase.start(system);
  });
  afterAll(async () => await started.disposeAsync());

  it('recovered to between an approval and its payout, the database pays each approval once', async () => {
    const work = await submittedMilestones(system.access(), 4);
    const [before, after, between, lost] = work as [Submitted, Submitted, Submitted, Submitted];
    await approve(before);
    await isPaid(before);
    await database.baseBackup();
    await approve(after);
    await isPaid(after);
    await database.cutOff('payments');
    await approve(between);
    const moment = await database.moment();
    await database.letIn('payments');
    await isPaid(between);
    await approve(lost);
    await isPaid(lost);
    const ordered = await database.orders();
    expect(ordered).toHaveLength(4);

    await database.restore(moment);
    // At that moment its role could not log in.
    await database.letIn('payments');
    for (const piece of [before, after, between]) await isPaid(piece);
    // It is known that the provider paid for work whose approval is lost, until that is approved again.
    await expect
      .poll(() => database.wrong(), eventually)
      .toEqual([expect.stringMatching(new RegExp(`1 found.*\\n.* under milestone:${lost.id}:1`))]);
    expect(await statusOf(lost)).toBe('submitted');
    expect(await database.rows('select from payments.payment where source_id = $1', [lost.id])).toEqual([]);
    // Approved work is paid under the key that the provider knows; orders of the lost generation are not undone.
    expect(await database.orders()).toEqual(ordered);
    expect(ordered).toEqual(expect.arrayContaining(await attempts()));
    expect(await attempts()).toHaveLength(3);

    await approve(lost);
    await isPaid(lost);
    await nothingIsWrong();
    expect(await database.orders()).toEqual(ordered);
    expect(await attempts()).toEqual(ordered);
  }, 240_000);
});
