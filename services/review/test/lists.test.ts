import { newId } from '@payroll/kernel';
import { recordReads } from '@payroll/tools/local/read-rows';
import { afterAll, expect, it } from 'vitest';
import { codesOf, Review, type Answer } from './review.js';
import { workOf, type Work } from './work.js';

const review = await Review.open('review_lists');
const recorded = recordReads(review.em);
const reads = recorded.reads;
const subgraph = await review.serve(recorded.em);
afterAll(() => review[Symbol.asyncDispose]());

interface Listed {
  milestones: { nodes: { id: string }[]; hasMore: boolean; nextCursor: string | null };
}

const LIST = `query ($contractId: ID!, $status: MilestoneStatus, $limit: Int! = 3, $cursor: String) {
  milestones(contractId: $contractId, status: $status, limit: $limit, cursor: $cursor) {
    nodes { id } hasMore nextCursor } }`;

it('milestones of a contract are newest first, page by page', async () => {
  const at = review.workspace();
  const contractId = await at.contract();
  const ids: string[] = [];
  for (let count = 0; count < 7; count++) ids.push(...(await at.milestonesAgreed(contractId)));
  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const answer: Answer<Listed> = await subgraph.ask(at.viewer, LIST, { contractId, cursor });
    const { nodes, nextCursor } = answer.data!.milestones;
    seen.push(...nodes.map(({ id }) => id));
    cursor = nextCursor;
  } while (cursor);
  expect(seen).toEqual(ids.toReversed());
});

it('milestones are filtered by status, and a cursor is valid only with its own filters', async () => {
  const at = review.workspace();
  const contractId = await at.contract();
  await at.milestonesAgreed(contractId, [{}, {}, {}, {}]);
  const { data } = await subgraph.ask<Listed>(at.viewer, LIST, { contractId });
  const cursor = data!.milestones.nextCursor;
  expect(codesOf(await subgraph.ask(at.viewer, LIST, { contractId, status: 'pending', cursor }))).toEqual([
    'INVALID_REQUEST',
  ]);
  expect(await subgraph.ask(at.viewer, LIST, { contractId, status: 'paid' })).toEqual({
    data: { milestones: { nodes: [], hasMore: false, nextCursor: null } },
  });
});

it.each(['timesheets', 'milestones'] as const)(
  'Contract.%s of 50 contracts takes one statement, as for one',
  async (field) => {
    const at = review.workspace();
    const works: Work[] = [];
    for (let count = 0; count < 50; count++) works.push(await workOf(review, at));
    const query = `query ($of: [_Any!]!) { _entities(representations: $of) { ... on Contract { work: ${field} { id } } } }`;
    const statementsFor = async (some: Work[]): Promise<number> => {
      reads.length = 0;
      const of = some.map(({ contract }) => ({ __typename: 'Contract', id: contract }));
      expect(await subgraph.ask(at.viewer, query, { of })).toEqual({
        data: {
          _entities: some.map((each) => ({ work: [{ id: field === 'timesheets' ? each.timesheet : each.milestone }] })),
        },
      });
      return reads.length;
    };
    expect(await statementsFor(works.slice(0, 1))).toBe(1);
    expect(await statementsFor(works)).toBe(1);
  },
);

it('Contract.milestones is the newest 50, newest first', async () => {
  const at = review.workspace();
  const contractId = await at.contract();
  for (let count = 0; count < 3; count++)
    await at.milestonesAgreed(
      contractId,
      Array.from({ length: 20 }, () => ({})),
    );
  const query = `query ($of: [_Any!]!) { _entities(representations: $of) { ... on Contract { milestones { id } } } }`;
  const entities = await subgraph.ask(at.viewer, query, { of: [{ __typename: 'Contract', id: contractId }] });
  const { data } = await subgraph.ask<Listed>(at.viewer, LIST, { contractId, limit: 50 });
  expect(data?.milestones.nodes).toHaveLength(50);
  expect(entities).toEqual({ data: { _entities: [{ milestones: data?.milestones.nodes }] } });
});

it.each([
  ['a malformed id', 'none'],
  ['an unknown id', newId()],
])('%s gives null and an empty list', async (_, id) => {
  const at = review.workspace();
  const query = `query ($id: ID!) { milestone(id: $id) { id } timesheet(id: $id) { id } milestones(contractId: $id) { nodes { id } } }`;
  expect(await subgraph.ask(at.viewer, query, { id })).toEqual({
    data: { milestone: null, timesheet: null, milestones: { nodes: [] } },
  });
});
