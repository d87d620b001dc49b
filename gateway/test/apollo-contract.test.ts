import { createRequire } from 'node:module';
import { Supergraph, operationFromDocument } from '@apollo/federation-internals';
import { buildOperationContext, executeQueryPlan, type GraphQLDataSourceProcessOptions } from '@apollo/gateway';
import { QueryPlanner } from '@apollo/query-planner';
import { parse } from 'graphql';
import { expect, it } from 'vitest';
import { supergraph } from '../src/index.js';

// The undocumented behaviour of Apollo's gateway on which `Gateway` depends, and what a cast hides from the compiler.
// If this file fails with another version, check `Gateway` before changing the version here.
const TRIED_WITH = '2.14.4';

const ONE = 'query One($id: ID!) { timesheet(id: $id) { id status } }';
const TWO_FIELDS = 'query Two($id: ID!) { one: timesheet(id: $id) { id } milestone(id: $id) { title } }';
const JOINED = 'query ($id: ID!) { timesheet(id: $id) { payment { status } } }';

const graph = Supergraph.build(supergraph(), { validateSupergraph: false });
const apiSchema = graph.apiSchema();
const planOf = (source: string) =>
  new QueryPlanner(graph).buildQueryPlan(operationFromDocument(apiSchema, parse(source)));

it.each(['@apollo/federation-internals', '@apollo/gateway', '@apollo/query-planner'])(
  `%s is installed as ${TRIED_WITH}`,
  (name) => {
    const { version } = createRequire(import.meta.url)(`${name}/package.json`) as { version: string };
    expect(version).toBe(TRIED_WITH);
  },
);

it.each([ONE, TWO_FIELDS, 'mutation { approveTimesheet(id: "a", expectedVersion: "1") { id } }'])(
  'the plan of a query for a single service is one fetch: %s',
  (source) => expect(planOf(source).node).toMatchObject({ kind: 'Fetch', serviceName: 'review' }),
);

it('a plan over several services is not a single fetch, so it is never sent to one service as written', () => {
  expect(planOf(JOINED).node).toMatchObject({ kind: 'Sequence' });
});

it('executing a plan reads no more of the request context than it is given, and passes `context` to the sources', async () => {
  const asked: { service: string; options: GraphQLDataSourceProcessOptions }[] = [];
  const source = (service: string, data: object) => ({
    process: (options: GraphQLDataSourceProcessOptions) => {
      asked.push({ service, options });
      return Promise.resolve({ data: data as Record<string, unknown> });
    },
  });
  const sources = {
    review: source('review', { timesheet: { payment: { __typename: 'Payment', id: 'p' } } }),
    payments: source('payments', { _entities: [{ status: 'pending' }] }),
  };
  const noLog = () => {};
  const context = {
    request: { variables: { id: 'a' } },
    context: { caller: 'ada' },
    logger: { debug: noLog, info: noLog, warn: noLog, error: noLog },
    metrics: {},
  };
  const schema = apiSchema.toGraphQLJSSchema();
  const operation = buildOperationContext({ schema, operationDocument: parse(JOINED) });
  const whole = graph.schema.toGraphQLJSSchema();
  const answer = await executeQueryPlan(planOf(JOINED), sources, context as never, operation, whole, apiSchema);
  expect(answer).toEqual({ data: { timesheet: { payment: { status: 'pending' } } } });
  expect(asked.map(({ service, options }) => [service, options.context])).toEqual([
    ['review', { caller: 'ada' }],
    ['payments', { caller: 'ada' }],
  ]);
  expect(asked[0]!.options.request.variables).toEqual({ id: 'a' });
});
