import { createRequire } from 'node:module';
import { ApolloGateway, type GraphQLDataSourceProcessOptions } from '@apollo/gateway';
import { getOperationAST, parse } from 'graphql';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { supergraph } from '../src/index.js';

// What `Gateway` and `PreparedOperation` use of Apollo's gateway that is experimental or that a cast hides from the
// compiler. When this file fails with another version, look at those two before the version here is changed.
const TRIED_WITH = '2.14.4';

const ONE = 'query One($id: ID!) { timesheet(id: $id) { id status } }';
const JOINED = 'query ($id: ID!) { timesheet(id: $id) { payment { status } } }';

const asked: { service: string; options: GraphQLDataSourceProcessOptions }[] = [];
const planned: unknown[] = [];
let gateway: ApolloGateway;

beforeAll(async () => {
  gateway = new ApolloGateway({
    supergraphSdl: supergraph(),
    buildService: ({ name }) => ({
      process: (options) => {
        asked.push({ service: name, options });
        const timesheet = { id: 'a', status: 'submitted', payment: { __typename: 'Payment', id: 'p' } };
        return Promise.resolve({ data: name === 'review' ? { timesheet } : { _entities: [{ status: 'pending' }] } });
      },
    }),
    experimental_didResolveQueryPlan: (resolved) => void planned.push(resolved),
  });
  await gateway.load();
});
beforeEach(() => (planned.length = asked.length = 0));

/** With those members of Apollo Server's request context alone that `PreparedOperation` makes. */
async function execute(source: string, queryHash: string) {
  const document = parse(source);
  const operation = getOperationAST(document)!;
  const noLog = () => {};
  return await gateway.executor({
    request: { query: source, variables: { id: 'a' } },
    document,
    operation,
    operationName: operation.name?.value ?? null,
    source,
    queryHash,
    schema: gateway.schema!,
    context: { caller: 'ada' },
    logger: { debug: noLog, info: noLog, warn: noLog, error: noLog },
    metrics: {},
  } as never);
}

describe(`@apollo/gateway ${TRIED_WITH}`, () => {
  it('is the version that is installed', () => {
    const { version } = createRequire(import.meta.url)('@apollo/gateway/package.json') as { version: string };
    expect(version).toBe(TRIED_WITH);
  });

  it('executes by a part of the request context, and gives the sources its `context`', async () => {
    expect(await execute(ONE, 'executes')).toEqual({ data: { timesheet: { id: 'a', status: 'submitted' } } });
    expect(asked.map(({ service, options: { context } }) => [service, context])).toEqual([
      ['review', { caller: 'ada' }],
    ]);
    const { query, variables } = asked[0]!.options.request;
    expect([query?.startsWith('query'), variables]).toEqual([true, { id: 'a' }]);
  });

  it('tells experimental_didResolveQueryPlan what one service answers alone: a Fetch with its text and variables', async () => {
    await execute(ONE, 'the hash');
    const node = { kind: 'Fetch', serviceName: 'review', requires: undefined, variableUsages: ['id'] };
    expect(planned).toMatchObject([{ queryPlan: { node }, requestContext: { queryHash: 'the hash' } }]);
    const [{ queryPlan }] = planned as [{ queryPlan: { node: { operation: string } } }];
    expect(queryPlan.node.operation).toBe(asked[0]!.options.request.query);
  });

  it('tells it of more than one service as something else, so that nothing is sent past the plan', async () => {
    expect(await execute(JOINED, 'joined')).toEqual({ data: { timesheet: { payment: { status: 'pending' } } } });
    expect(planned).toMatchObject([{ queryPlan: { node: { kind: 'Sequence' } } }]);
  });

  it('has the schema that callers see once it is loaded', () => {
    expect(gateway.schema?.getQueryType()?.getFields()['timesheet']).toBeDefined();
    expect(gateway.schema?.getType('_Entity')).toBeUndefined();
  });
});
