import type { EventOf } from '@payroll/events';
import { startTestNats } from '@payroll/tools/local/test-server';
import { newId } from '@payroll/kernel';
import { fetchNewestEvent, Bus } from '@payroll/commands';
import { createLog } from '@payroll/runtime';
import { createRefresher } from '@payroll/service';
import { readGeneration } from '@payroll/store';
import { afterAll, beforeEach, expect, it, vi } from 'vitest';
import { applyAgreedMilestones } from '../src/commands/apply-events.js';
import { codesOf, Review, type Answer } from './review.js';
import type { Workspace } from './workspace.js';

type Agreed = EventOf<'contract.milestones-agreed'>;

const stack = new AsyncDisposableStack();
const log = createLog('review', 'silent');

/** Events in the outbox of contracts, and the contract ids that review asked for. */
const outbox = new Map<string, Agreed>();
let questions: unknown[] = [];

const nats = stack.use(await startTestNats());
const review = stack.use(await Review.open('review_first_milestones'));
const bus = stack.use(new Bus({ url: nats.urls.review, name: 'review', log }));
await vi.waitUntil(() => bus.connected);
review.learn = createRefresher(bus, review.commands);
const generation = await readGeneration(review.em);
const subgraph = await review.serve();
afterAll(() => stack.disposeAsync());
beforeEach(() => {
  questions = [];
});

/** Fake contracts service; resolves once review can reach it. */
async function contracts(): Promise<Bus> {
  const answering = new Bus({ url: nats.urls.contracts, name: 'contracts', log });
  answering.answer('ask.contracts.event', 'contracts', (body) => {
    const { workspaceId, aboutId, types } = body as { workspaceId: string; aboutId: string; types: string[] };
    if (types.includes('contract.milestones-agreed')) questions.push(aboutId);
    const event = outbox.get(aboutId);
    return Promise.resolve(event?.workspaceId === workspaceId ? { ...event, generation } : null);
  });
  const probe = { workspaceId: newId(), aboutId: newId() };
  await expect.poll(() => fetchNewestEvent(bus, ['contract.changed'], probe).catch(() => 'no answer')).toBeNull();
  return answering;
}

interface Listed {
  milestones: { nodes: { id: string; status: string }[] };
}

const list = (at: Workspace, contractId: string, status?: string): Promise<Answer<Listed>> =>
  subgraph.ask(
    at.viewer,
    `query ($contractId: ID!, $status: MilestoneStatus) {
      milestones(contractId: $contractId, status: $status) { nodes { id status } } }`,
    { contractId, status: status ?? null },
  );

const empty = { data: { milestones: { nodes: [] } } };

function drafted(at: Workspace, contractId = newId()): Agreed {
  const event = at.agreed(contractId, [{}]);
  outbox.set(contractId, event);
  return event;
}

it('milestones are listed before their event arrives, and the event then changes nothing', async () => {
  await using _contracts = await contracts();
  const at = review.workspace();
  const event = drafted(at);
  const { contractId, milestones } = event.body;
  const expected = { data: { milestones: { nodes: [{ id: milestones[0]!.milestoneId, status: 'pending' }] } } };
  expect(await list(at, contractId)).toEqual(expected);
  await at.hear(applyAgreedMilestones, event);
  expect(await list(at, contractId)).toEqual(expected);
  expect(await list(at, contractId, 'paid')).toEqual(empty);
  expect(questions).toEqual([contractId]);
});

it('milestones are fetched again while the contract is a draft, but not afterwards', async () => {
  await using _contracts = await contracts();
  const at = review.workspace();
  const contractId = await at.contract({ status: 'draft' });
  expect(await list(at, contractId)).toEqual(empty);
  const event = drafted(at, contractId);
  expect((await list(at, contractId)).data).toMatchObject({
    milestones: { nodes: event.body.milestones.map(() => ({})) },
  });
  expect(questions).toEqual([contractId, contractId]);
  const active = await at.contract();
  expect(await list(at, active)).toEqual(empty);
  expect(questions).toHaveLength(2);
});

it('an unknown contract, or one of another workspace, has no milestones', async () => {
  await using _contracts = await contracts();
  const at = review.workspace();
  expect(await list(at, newId())).toEqual(empty);
  const { contractId } = drafted(review.workspace()).body;
  expect(await list(at, contractId)).toEqual(empty);
  expect(await list(at, 'no id')).toEqual(empty);
});

it('10 concurrent reads of a contract create its milestones once', async () => {
  await using _contracts = await contracts();
  const at = review.workspace();
  const { contractId } = drafted(at).body;
  const answers = await Promise.all(Array.from({ length: 10 }, () => list(at, contractId)));
  for (const { data } of answers) expect(data?.milestones.nodes).toHaveLength(1);
  expect(await at.rows('milestone')).toHaveLength(1);
});

it('returns SERVICE_UNAVAILABLE, not an empty list, while contracts cannot be reached', async () => {
  const at = review.workspace();
  const { contractId, milestones } = drafted(at).body;
  const answer = await list(at, contractId);
  expect([answer.data, codesOf(answer)]).toEqual([null, ['SERVICE_UNAVAILABLE']]);
  {
    await using _contracts = await contracts();
    const expected = { nodes: [{ id: milestones[0]!.milestoneId, status: 'pending' }] };
    expect(await list(at, contractId)).toEqual({ data: { milestones: expected } });
  }
  const active = await at.contract();
  expect(await list(at, active)).toEqual(empty);
});
