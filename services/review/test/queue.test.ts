import { analyzeDatabase, mostRowsRead, recordReads } from '@payroll/tools/local/read-rows';
import { newId } from '@payroll/kernel';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { submitMilestone } from '../src/commands/review-milestone.js';
import { submitTimesheet } from '../src/commands/submit-timesheet.js';
import { fillQueue } from './fill-queue.js';
import { codesOf, Review } from './review.js';
import type { Workspace } from './workspace.js';

const review = await Review.open('review_queue');
const recorded = recordReads(review.em);
const reads = recorded.reads;
const subgraph = await review.serve(recorded.em);
afterAll(() => review[Symbol.asyncDispose]());

interface Queue {
  reviewQueue: { nodes: { id: string; kind: string }[]; hasMore: boolean; nextCursor: string | null };
}

const QUEUE = `query ($kind: WorkKind, $ids: [ID!], $oldestFirst: Boolean! = true, $limit: Int! = 3, $cursor: String) {
  reviewQueue(kind: $kind, ids: $ids, oldestFirst: $oldestFirst, limit: $limit, cursor: $cursor) {
    nodes { kind id contractId contract { id } title periodStart periodEnd unitsWorked amount { amount currency }
      paymentScheduledDate submittedAt version }
    hasMore nextCursor } }`;

async function submitted(at: Workspace, kind: 'timesheet' | 'milestone', contractId: string): Promise<string> {
  if (kind === 'timesheet') {
    const day = `2027-03-0${(await at.rows('timesheet')).length + 1}`;
    const work = { contractId, periodStart: day, periodEnd: day, unitsWorked: '8' };
    return (await review.commands.run(submitTimesheet, work, at.application)).id;
  }
  const [id] = await at.milestonesAgreed(contractId);
  await review.commands.run(submitMilestone, { id: id!, edge: 'submit' }, at.staff);
  return id!;
}

/** Three timesheets and three milestones of two contracts, alternating. */
async function full(at: Workspace): Promise<string[]> {
  const contracts = [await at.contract(), await at.contract({ rate: '10', currency: 'JPY' })];
  const ids: string[] = [];
  for (const contract of [...contracts, contracts[0]!]) {
    for (const kind of ['timesheet', 'milestone'] as const) ids.push(await submitted(at, kind, contract));
  }
  return ids;
}

async function pages(at: Workspace, filters: object): Promise<string[]> {
  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const { data }: { data: Queue | null } = await subgraph.ask<Queue>(at.people.viewer, QUEUE, { ...filters, cursor });
    seen.push(...data!.reviewQueue.nodes.map(({ id }) => id));
    cursor = data!.reviewQueue.nextCursor;
  } while (cursor !== null);
  return seen;
}

describe('the review queue', () => {
  it('lists the work of all contracts of the workspace, oldest submission first, page by page', async () => {
    const at = review.workspace();
    const ids = await full(at);
    await full(review.workspace());
    expect(await pages(at, {})).toEqual(ids);
    expect(await pages(at, { limit: 1 })).toEqual(ids);
    expect(await pages(at, { limit: 2, oldestFirst: false })).toEqual(ids.toReversed());
    expect(await pages(at, { kind: 'milestone', limit: 2 })).toEqual(ids.filter((_, n) => n % 2 === 1));
    expect(await pages(at, { kind: 'timesheet', limit: 2 })).toEqual(ids.filter((_, n) => n % 2 === 0));
  });

  it('shows the amount, kind and version of each item', async () => {
    const at = review.workspace();
    const contractId = await at.contract();
    const ids = [await submitted(at, 'timesheet', contractId), await submitted(at, 'milestone', contractId)];
    const { data } = await subgraph.ask<Queue>(at.people.member, QUEUE);
    const work = { contractId, contract: { id: contractId } };
    const [timesheet] = await at.rows('timesheet');
    expect(data!.reviewQueue.nodes).toEqual([
      {
        ...{ ...work, kind: 'timesheet', id: ids[0], title: null, unitsWorked: '8' },
        ...{ periodStart: '2027-03-01', periodEnd: '2027-03-01', paymentScheduledDate: '2027-03-15' },
        amount: { amount: '400.00', currency: 'EUR' },
        submittedAt: timesheet!['submitted_at'],
        version: await versionOf(at, 'timesheet', ids[0]!),
      },
      {
        ...{ ...work, kind: 'milestone', id: ids[1], title: 'First draft', unitsWorked: null },
        ...{ periodStart: null, periodEnd: null, paymentScheduledDate: null },
        amount: { amount: '1500.00', currency: 'EUR' },
        submittedAt: expect.any(String) as string,
        version: await versionOf(at, 'milestone', ids[1]!),
      },
    ]);
  });

  it('filtered by id, returns only submitted work of this workspace', async () => {
    const at = review.workspace();
    const [[first, second, third], foreign] = [await full(at), await full(review.workspace())];
    await decide(at, 'rejectTimesheet', first!);
    const { data } = await subgraph.ask<Queue>(at.people.admin, QUEUE, {
      ids: [first, second, third, foreign[0], newId(), 'none'],
      limit: 100,
    });
    expect(data!.reviewQueue.nodes.map(({ id }) => id)).toEqual([second, third]);
  });

  it('drops decided work and appends resubmitted work at its end', async () => {
    const at = review.workspace();
    const [first, second, ...rest] = await full(at);
    await decide(at, 'rejectTimesheet', first!);
    await decide(at, 'rejectMilestone', second!);
    expect(await pages(at, {})).toEqual(rest);
    const again = (what: string, id: string) =>
      subgraph.ask(at.application, `mutation ($id: ID!) { ${what}(id: $id) { id } }`, { id });
    await again('resubmitMilestone', second!);
    await again('resubmitTimesheet', first!);
    expect(await pages(at, {})).toEqual([...rest, second, first]);
  });

  it('reads a page in one statement and refuses the cursor of another list', async () => {
    const at = review.workspace();
    await full(at);
    reads.length = 0;
    const { data } = await subgraph.ask<Queue>(at.people.viewer, QUEUE);
    expect(reads).toHaveLength(1);
    const cursor = data!.reviewQueue.nextCursor;
    for (const other of [{ kind: 'timesheet' }, { oldestFirst: false }]) {
      expect(codesOf(await subgraph.ask(at.people.viewer, QUEUE, { ...other, cursor }))).toEqual(['INVALID_REQUEST']);
    }
  });
});

describe("the queue's count", () => {
  const COUNT = `query ($kind: WorkKind) { reviewQueueCount(kind: $kind) }`;
  const count = async (at: Workspace, kind?: string): Promise<unknown> =>
    (await subgraph.ask<{ reviewQueueCount: number }>(at.people.viewer, COUNT, { kind })).data?.reviewQueueCount;

  it('counts each kind or both, up to 100', async () => {
    const at = review.workspace();
    expect(await count(at)).toBe(0);
    await full(at);
    expect([await count(at), await count(at, 'timesheet'), await count(at, 'milestone')]).toEqual([6, 3, 3]);
    await fillQueue(review.em, at.id, 70);
    expect([await count(at), await count(at, 'timesheet'), await count(at, 'milestone')]).toEqual([100, 73, 73]);
    await fillQueue(review.em, at.id, 70);
    expect([await count(at), await count(at, 'timesheet')]).toEqual([100, 100]);
  });

  it('with 100,000 submitted items a page reads no more than a page of each index', async () => {
    const at = review.workspace();
    await fillQueue(review.em, at.id, 50_000);
    // Autovacuum may have sampled the tables while they were almost empty.
    await analyzeDatabase(inject('backends'), 'review_queue');
    const first = await subgraph.ask<Queue>(at.people.viewer, QUEUE, { limit: 50 });
    const cursor = first.data!.reviewQueue.nextCursor;
    expect(first.data!.reviewQueue.nodes).toHaveLength(50);
    expect(await rowsRead()).toBeLessThanOrEqual(2 * 51);
    for (const other of [{ cursor }, { oldestFirst: false }]) {
      await subgraph.ask(at.people.viewer, QUEUE, { limit: 50, ...other });
      expect(await rowsRead()).toBeLessThanOrEqual(2 * 51);
    }
    expect(await count(at)).toBe(100);
    expect(await rowsRead()).toBeLessThanOrEqual(100);
  });
});

/** Rows read by the last statement. */
const rowsRead = (): Promise<number> => mostRowsRead(review.em, reads.at(-1)!);

async function versionOf(at: Workspace, kind: 'timesheet' | 'milestone', id: string): Promise<string> {
  const query = `query ($id: ID!) { work: ${kind}(id: $id) { version } }`;
  return (await subgraph.ask<{ work: { version: string } }>(at.people.viewer, query, { id })).data!.work.version;
}

async function decide(at: Workspace, what: 'rejectTimesheet' | 'rejectMilestone', id: string): Promise<void> {
  const version = await versionOf(at, what === 'rejectTimesheet' ? 'timesheet' : 'milestone', id);
  const mutation = `mutation ($id: ID!, $version: String!) {
    ${what}(id: $id, expectedVersion: $version, reason: "Not this") { id } }`;
  expect(codesOf(await subgraph.ask(at.people.admin, mutation, { id, version }))).toEqual([]);
}
