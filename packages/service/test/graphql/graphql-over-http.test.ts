import { generateKeySync } from 'node:crypto';
import { mintActorToken } from '@payroll/admission';
import { newId, type Origin } from '@payroll/kernel';
import { buildSubgraph } from '../../src/graphql/schema.js';
import { createSubgraphServer, parseJsonLines } from '../../src/graphql/server.js';
import { loadById, type SubgraphContext } from '../../src/graphql/context.js';
import { fastify } from 'fastify';
import { afterAll, expect, it } from 'vitest';
import { originOf, REFUSAL, Store, Things } from './things.js';

interface Answer {
  data?: Record<string, unknown> | null;
  errors?: { extensions: Record<string, unknown> }[];
  extensions?: object;
}

const key = generateKeySync('hmac', { length: 256 });
const things = new Store();
const resolver = new Things(things, new Store());
const { log } = fastify();

const references = {
  Thing: ({ id }: { id: string }, context: SubgraphContext) => loadById(context, things.fetch, id),
};
const { schema } = await buildSubgraph({ resolvers: [resolver], references });
const waitingFor = () => Promise.resolve([]);
const asDomainError = (error: unknown) => error;
const server = await createSubgraphServer({
  service: 'contracts',
  actorTokenKeys: [key],
  schema,
  log,
  mapDatabaseError: asDomainError,
  waitingFor,
});
afterAll(() => server.close());

const tokenOf = (origin: Origin) => mintActorToken('contracts', key, origin, new Date());
const mine = originOf(newId());

/** The same request in a message of the gateway library. */
async function inMessage(query: string, variables?: object): Promise<Answer> {
  const payload = [{ query, variables, extensions: { token: tokenOf(mine) } }];
  return parseJsonLines<Answer>((await server.inject({ method: 'POST', url: '/graphql', payload })).body)[0]!;
}

const NEW = 'application/graphql-response+json';
const over = async (body: unknown, headers: Record<string, string> = { authorization: `Bearer ${tokenOf(mine)}` }) => {
  const sent = { 'content-type': 'application/json', ...headers };
  const payload = JSON.stringify(body);
  const response = await server.inject({ method: 'POST', url: '/graphql', headers: sent, payload });
  const { statusCode: status } = response;
  return { status, type: response.headers['content-type'], answer: response.json<Answer>() };
};
const accepting = (accept: string) => ({ authorization: `Bearer ${tokenOf(mine)}`, accept });
const codesOf = ({ errors }: Answer) => errors?.map(({ extensions }) => extensions['code']);

it.each([
  ['*/*', 'application/json'],
  ['application/json', 'application/json'],
  [NEW, NEW],
  [`${NEW}, application/json;q=0.9`, NEW],
])('answers one request to a client that accepts %s', async (accept, type) => {
  const id = things.add(mine.actor.workspaceId);
  const body = { query: 'query ($id: ID!) { thing(id: $id) { id } }', variables: { id }, extensions: {} };
  const answered = { status: 200, type: `${type}; charset=utf-8`, answer: { data: { thing: { id } } } };
  expect(await over(body, accepting(accept))).toEqual(answered);
});

it('runs the named operation', async () => {
  const query = 'query One { echo } mutation Other { change(what: "x") }';
  expect((await over({ query, operationName: 'Other' })).answer).toEqual({ data: { change: 'x' } });
  for (const operationName of ['Third', null]) {
    expect(codesOf((await over({ query, operationName })).answer)).toEqual(['INVALID_REQUEST']);
  }
});

it.each([undefined, 'Bearer x', 'Basic x', `Bearer ${mintActorToken('payments', key, mine, new Date())}`])(
  'is 401 with the credential %s, even with a token in the body',
  async (authorization) => {
    const body = { query: '{ echo }', extensions: { token: tokenOf(mine) } };
    const { status, answer } = await over(body, authorization === undefined ? {} : { authorization });
    expect([status, answer.data, codesOf(answer)]).toEqual([401, undefined, ['INVALID_CREDENTIAL']]);
  },
);

it.each([
  {},
  { query: 5 },
  { query: '{ echo }', variables: [] },
  { query: '{ echo }', operationName: 5 },
  { query: '{ echo }', extensions: [] },
  'text',
  5,
  null,
])('is 400 for a malformed body: %j', async (body) => {
  const { status, answer } = await over(body);
  expect([status, codesOf(answer)]).toEqual([400, ['INVALID_REQUEST']]);
});

it.each([
  ['{ nothing }', undefined, 400],
  ['{ echo', undefined, 400],
  ['query ($id: ID!) { thing(id: $id) { id } }', {}, 400],
  ['{ __schema { types { name } } }', undefined, 400],
  ['{ fails }', undefined, 200],
])('an error is the same as in a message: %s', async (query, variables, status) => {
  resolver.error = REFUSAL;
  const answer = await inMessage(query, variables);
  const { authorization } = accepting(NEW);
  expect(await over({ query, variables }, { authorization })).toMatchObject({ status: 200, answer });
  expect(await over({ query, variables }, accepting(NEW))).toMatchObject({ status, answer });
});

it('refuses a team fields that its lists do not cover, and shows it the schema for composition', async () => {
  const staff: Origin = {
    ...mine,
    actor: { ...mine.actor, kind: 'staff', team: 'support', person: 'olga@example.com', role: null },
  };
  const headers = { authorization: `Bearer ${tokenOf(staff)}`, accept: NEW };
  const refused = await over({ query: '{ echo }' }, headers);
  expect([refused.status, codesOf(refused.answer)]).toEqual([403, ['INSUFFICIENT_SCOPE']]);
  const { answer } = await over({ query: '{ _service { sdl } }' }, headers);
  expect(answer.data).toMatchObject({ _service: { sdl: expect.stringContaining('type Thing') as string } });
});

it('errors and extensions precede the data', async () => {
  resolver.error = REFUSAL;
  const asked = async (query: string) => {
    const payload = [{ query, extensions: { token: tokenOf(mine) } }];
    return (await server.inject({ method: 'POST', url: '/graphql', payload })).body;
  };
  expect(await asked('{ fails echo }')).toMatch(/^0 \{"errors":\[.*\],"data":\{"fails":null,"echo":""\}\}\n$/);
  expect(await asked('mutation { decide(outcome: "replayed") }')).toBe(
    '0 {"extensions":{"replayed":true},"data":{"decide":"replayed"}}\n',
  );
});

it.each([
  ['applied', undefined, undefined],
  ['replayed', undefined, { replayed: true }],
  ['refused', 'INVALID_STATE', undefined],
  ['recorded', 'INVALID_STATE', { recorded: true }],
])('a change that is %s has the code and extensions %j %j', async (outcome, code, extensions) => {
  const answer = await inMessage('mutation ($outcome: String!) { decide(outcome: $outcome) }', { outcome });
  expect([answer.errors?.[0]?.extensions['code'], answer.extensions]).toEqual([code, extensions]);
});
