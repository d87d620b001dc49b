import { newId } from '@payroll/kernel';
import { afterAll, describe, expect, it } from 'vitest';
import { codesOf, Review, type Request } from './review.js';
import { workOf, type Work } from './work.js';

const review = await Review.open('review_subgraph');
const subgraph = await review.serve();
afterAll(() => review[Symbol.asyncDispose]());

const ENTITIES = `query ($of: [_Any!]!) { _entities(representations: $of) {
  ... on Timesheet { id unitsWorked } ... on Milestone { id title }
  ... on Contract { id timesheets { id } milestones { id } } } }`;

const entitiesOf = ({ contract, timesheet, milestone }: Work): object[] => [
  { __typename: 'Timesheet', id: timesheet },
  { __typename: 'Milestone', id: milestone },
  { __typename: 'Contract', id: contract },
];

describe('work of another workspace', () => {
  it("is not returned as an entity, alone or with its owner's, by id or in lists", async () => {
    const [ours, theirs] = [review.workspace(), review.workspace()];
    const [own, foreign] = [await workOf(review, ours), await workOf(review, theirs)];
    const nothing = [null, null, { id: foreign.contract, timesheets: [], milestones: [] }];
    const everything = (work: Work): object[] => [
      { id: work.timesheet, unitsWorked: '10' },
      { id: work.milestone, title: 'First draft' },
      { id: work.contract, timesheets: [{ id: work.timesheet }], milestones: [{ id: work.milestone }] },
    ];
    const alone = await subgraph.ask(ours.admin, ENTITIES, { of: entitiesOf(foreign) });
    expect(alone).toEqual({ data: { _entities: nothing } });

    const asked = (origin: typeof ours.admin, of: object[]): Request => ({
      query: ENTITIES,
      variables: { of },
      extensions: { token: review.token(origin) },
    });
    const both = [...entitiesOf(own), ...entitiesOf(foreign)];
    const batch = await subgraph.batch([
      asked(ours.admin, both),
      asked(theirs.admin, both),
      asked(ours.viewer, entitiesOf(foreign)),
    ]);
    expect(batch.map(({ data }) => data?.['_entities'])).toEqual([
      [...everything(own), ...nothing],
      [null, null, { id: own.contract, timesheets: [], milestones: [] }, ...everything(foreign)],
      nothing,
    ]);

    const query = `query ($t: ID!, $m: ID!, $c: ID!) {
      timesheet(id: $t) { id } milestone(id: $m) { id }
      timesheets(contractId: $c) { nodes { id } } milestones(contractId: $c) { nodes { id } } }`;
    const variables = { t: foreign.timesheet, m: foreign.milestone, c: foreign.contract };
    expect(await subgraph.ask(ours.admin, query, variables)).toEqual({
      data: { timesheet: null, milestone: null, timesheets: { nodes: [] }, milestones: { nodes: [] } },
    });
  });

  it('cannot be changed', async () => {
    const [ours, theirs] = [review.workspace(), review.workspace()];
    const foreign = await workOf(review, theirs);
    const mutation = `mutation ($id: ID!, $version: String!) {
      approveTimesheet(id: $id, expectedVersion: $version) { id } }`;
    const variables = { id: foreign.timesheet, version: 'any' };
    const answer = await subgraph.ask(ours.admin, mutation, variables);
    expect(codesOf(answer)).toEqual(['NOT_FOUND']);
    const submit = `mutation ($id: ID!) { submitMilestone(id: $id) { id } }`;
    expect(codesOf(await subgraph.ask(ours.staff, submit, { id: foreign.milestone }))).toEqual(['NOT_FOUND']);
  });
});

describe('the subgraph endpoint', () => {
  it('refuses a token that is missing, malformed, altered, expired or for another service', async () => {
    const at = review.workspace();
    const { timesheet } = await workOf(review, at);
    const query = `{ timesheet(id: "${timesheet}") { id } }`;
    const good = review.token(at.admin);
    const [payload, signature] = good.split('.') as [string, string];
    const bad = [
      undefined,
      '',
      'garbage',
      payload,
      `${payload}.`,
      `${payload}.${signature}.${signature}`,
      `${payload}.${signature.replace(/^./, signature.startsWith('A') ? 'B' : 'A')}`,
      `${Buffer.from(JSON.stringify({ aud: 'review', exp: 9e9, origin: at.admin })).toString('base64url')}.${signature}`,
      review.token(at.admin, 'review', new Date(Date.now() - 16_000)),
      review.token(at.admin, 'payments'),
    ];
    const answers = await subgraph.batch([
      ...bad.map((token) => ({ query, extensions: { token } })),
      { query, extensions: { token: good } },
    ]);
    expect(answers.slice(0, -1).map((answer) => [answer.data, codesOf(answer)])).toEqual(
      bad.map(() => [undefined, ['INVALID_CREDENTIAL']]),
    );
    expect(answers.at(-1)).toEqual({ data: { timesheet: { id: timesheet } } });
  });

  it('reports a request that does not match the schema differently from a failure', async () => {
    const { application } = review.workspace();
    const input = { contractId: newId(), periodStart: '2027-02-30', periodEnd: '2027-03-01', unitsWorked: '1' };
    const submit = 'mutation ($input: TimesheetInput!) { submitTimesheet(input: $input) { id } }';
    for (const query of ['{ none }', '{ timesheet', '{ timesheets(limit: "all") { hasMore } }', submit]) {
      expect(codesOf(await subgraph.ask(application, query, { input }))).toEqual(['INVALID_REQUEST']);
    }
  });

  it('requires the read scope', async () => {
    const at = review.workspace();
    const { contract } = await workOf(review, at);
    const blind = { ...at.admin, actor: { ...at.admin.actor, scopes: ['timesheets:write'] as const } };
    for (const query of [
      `{ timesheets { nodes { id } } }`,
      `{ milestones(contractId: "${contract}") { nodes { id } } }`,
      `{ _entities(representations: [{ __typename: "Contract", id: "${contract}" }]) { ... on Contract { milestones { id } } } }`,
    ]) {
      expect(codesOf(await subgraph.ask(blind, query))).toEqual(['INSUFFICIENT_SCOPE']);
    }
  });

  it.each(['addMilestone', 'submitMilestone', 'updateMilestone', 'submitTimesheet', 'resubmitTimesheet'])(
    'reserves %s for the application',
    async (mutation) => {
      const at = review.workspace();
      const { contract: contractId, milestone, timesheet } = await workOf(review, at);
      const work = { contractId, periodStart: '2027-04-01', periodEnd: '2027-04-01', unitsWorked: '1' };
      const variables = { id: mutation.includes('Milestone') ? milestone : timesheet };
      const document: Record<string, [string, object]> = {
        addMilestone: ['$input: MilestoneInput!', { input: { contractId, title: 'One', amount: '1' } }],
        submitMilestone: ['$id: ID!', variables],
        updateMilestone: ['$id: ID!, $input: MilestoneChangeInput!', { ...variables, input: { title: 'Two' } }],
        submitTimesheet: ['$input: TimesheetInput!', { input: work }],
        resubmitTimesheet: ['$id: ID!', variables],
      };
      const [parameters, given] = document[mutation]!;
      const args = Object.keys(given).map((name) => `${name}: $${name}`);
      const query = `mutation (${parameters}) { ${mutation}(${args.join(', ')}) { id } }`;
      const answer = await subgraph.ask(at.admin, query, given as Record<string, unknown>);
      expect(codesOf(answer)).toEqual(['INSUFFICIENT_SCOPE']);
    },
  );
});
