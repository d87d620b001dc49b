import { generateKeySync } from 'node:crypto';
import { mintActorToken } from '@payroll/admission';
import { DomainError, newId, unavailable, type Origin } from '@payroll/kernel';
import { buildSubgraph } from '../../src/graphql/schema.js';
import { createSubgraphServer, parseJsonLines } from '../../src/graphql/server.js';
import { loadById } from '../../src/graphql/context.js';
import { fastify } from 'fastify';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { originOf, REFUSAL, Store, Things } from './things.js';

interface Answer {
  data?: Record<string, unknown> | null;
  errors?: { message: string; path?: string[]; extensions: Record<string, unknown> }[];
}
interface Entities {
  _entities: ({ id: string } | null)[];
}

const key = generateKeySync('hmac', { length: 256 });
const [things, places] = [new Store(), new Store()];
const resolver = new Things(things, places);
const logged: string[] = [];
/** The log's writer; Fastify creates the logger as in the services' processes. */
const { log } = fastify({ logger: { stream: { write: (line: string) => void logged.push(line) } } });
let ready = true;

const { schema } = await buildSubgraph({
  resolvers: [resolver],
  references: {
    Thing: ({ id }, context) => loadById(context, things.fetch, id),
    Place: ({ id }, context) => loadById(context, places.fetch, id),
  },
});
const asDomainError = (error: unknown) => (error instanceof RangeError ? unavailable('The database', error) : error);
const server = await createSubgraphServer({
  service: 'contracts',
  actorTokenKeys: [key],
  schema,
  log,
  mapDatabaseError: asDomainError,
  waitingFor: () => Promise.resolve(ready ? [] : ['database']),
});
afterAll(() => server.close());
beforeEach(() => {
  logged.length = things.fetches.length = places.fetches.length = 0;
});

const tokenOf = (origin: Origin, now = new Date()) => mintActorToken('contracts', key, origin, now);
const mine = originOf(newId());
const request = (origin: Origin, query: string, variables?: object) => {
  return { query, variables, extensions: { token: tokenOf(origin) } };
};

async function post(payload: unknown[]): Promise<Answer[]> {
  const headers = { 'content-type': 'application/json' };
  const response = await server.inject({ method: 'POST', url: '/graphql', headers, payload: JSON.stringify(payload) });
  expect(response.statusCode).toBe(200);
  return parseJsonLines<Answer>(response.body);
}

async function ask(query: string, variables?: object): Promise<Answer> {
  return (await post([request(mine, query, variables)]))[0]!;
}

const ENTITIES = `query ($of: [_Any!]!) {
  _entities(representations: $of) { ... on Thing { id workspaceId } ... on Place { id workspaceId } } }`;

describe('one message of several callers', () => {
  it('answers each in order, from its own workspace', async () => {
    const callers = [originOf(newId()), originOf(newId()), originOf(newId())];
    const id = newId();
    for (const { actor } of callers.slice(0, 2)) things.add(actor.workspaceId, id);
    const query = `{ thing(id: "${id}") { id workspaceId } }`;
    const answers = await post(callers.map((caller) => request(caller, query)));
    const [first, second] = callers.map(({ actor: { workspaceId } }) => ({ id, workspaceId }));
    expect(answers.map(({ data }) => data?.['thing'])).toEqual([first, second, null]);
    expect(answers.every(({ errors }) => errors === undefined)).toBe(true);
  });

  it('makes one fetch per kind, with each key once', async () => {
    const [ada, bob] = [originOf(newId()), originOf(newId())];
    const [one, two] = [things.add(ada.actor.workspaceId), things.add(bob.actor.workspaceId)];
    const there = places.add(ada.actor.workspaceId);
    const of = [
      { __typename: 'Thing', id: one },
      { __typename: 'Thing', id: one.toUpperCase() },
      { __typename: 'Place', id: there },
    ];
    const answers = await post([
      request(ada, ENTITIES, { of }),
      request(ada, ENTITIES, { of }),
      request(bob, ENTITIES, { of: [{ __typename: 'Thing', id: two }, of[0]] }),
    ]);
    expect(things.fetches.map((keys) => keys.length)).toEqual([3]);
    expect(places.fetches.map((keys) => keys.length)).toEqual([1]);
    const found = answers.map(({ data }) => (data as unknown as Entities)._entities.map((each) => each?.id));
    expect(found).toEqual([
      [one, one, there],
      [one, one, there],
      [two, undefined],
    ]);
  });

  it('does not cache for the next message', async () => {
    const query = `{ thing(id: "${things.add(mine.actor.workspaceId)}") { id } }`;
    await ask(query);
    await ask(query);
    expect(things.fetches).toHaveLength(2);
  });

  it('refuses a request with a bad token, and answers the others', async () => {
    const query = '{ echo }';
    const late = tokenOf(mine, new Date(Date.now() - 16_000));
    const elsewhere = mintActorToken('payments', key, mine, new Date());
    const forged = mintActorToken('contracts', generateKeySync('hmac', { length: 256 }), mine, new Date());
    const answers = await post(
      [late, elsewhere, forged, 'x', undefined, tokenOf(mine)].map((token) => ({ query, extensions: { token } })),
    );
    const codes = answers.map(({ errors }) => errors?.[0]?.extensions['code']);
    expect(codes).toEqual([...Array<string>(5).fill('INVALID_CREDENTIAL'), undefined]);
    expect(answers.at(-1)).toEqual({ data: { echo: '' } });
  });

  it.each([null, 5, 'text', [], {}, { query: 5 }, { query: '{ echo }', variables: 'x' }])(
    'refuses %j in it as INVALID_REQUEST, and answers the others',
    async (odd) => {
      const asked = request(mine, '{ echo }');
      const [before, refused, after] = await post([asked, odd, asked]);
      expect(refused?.errors?.map(({ extensions }) => extensions['code'])).toEqual(['INVALID_REQUEST']);
      expect([before, after]).toEqual([{ data: { echo: '' } }, { data: { echo: '' } }]);
    },
  );

  it('sends finished answers before unfinished ones, each in its own line', async () => {
    const { promise, resolve: letGo } = Promise.withResolvers<void>();
    resolver.waitsFor = promise;
    const asked = ['{ waits }', '{ echo }'].map((query) => request(mine, query));
    const url = await server.listen({ host: '127.0.0.1', port: 0 });
    const headers = { 'content-type': 'application/json' };
    const { body } = await fetch(`${url}/graphql`, { method: 'POST', headers, body: JSON.stringify(asked) });
    const lines: string[] = [];
    for await (const line of body!.pipeThrough(new TextDecoderStream())) {
      lines.push(line);
      letGo();
    }
    expect(lines).toEqual(['1 {"data":{"echo":""}}\n', '0 {"data":{"waits":"long"}}\n']);
  });

  it('returns null for a malformed id without a query', async () => {
    expect(await ask('{ thing(id: "1 or 1=1") { id } }')).toEqual({ data: { thing: null } });
    expect(things.fetches).toEqual([]);
  });
});

describe('an error', () => {
  const failing = (error: unknown) => {
    resolver.error = error;
    return ask('{ fails }');
  };
  const internal = { message: 'Something failed on our side.', extensions: { code: 'INTERNAL_ERROR' } };

  it('that is a refusal keeps its code, message, details and retryAfterSeconds', async () => {
    const { code, message, details, retryAfterSeconds } = REFUSAL;
    const errors = [{ path: ['fails'], message, extensions: { code, details, retryAfterSeconds } }];
    expect(await failing(REFUSAL)).toEqual({ data: { fails: null }, errors });
    expect(logged).toEqual([]);
  });

  it('that is unexpected is returned without its text and logged without values', async () => {
    const error = Object.assign(new Error(`insert into thing values ('a secret')`), { code: '23505' });
    expect((await failing(error)).errors).toEqual([{ ...internal, path: ['fails'] }]);
    expect(logged.map((line) => JSON.parse(line))).toMatchObject([
      { requestId: mine.requestId, error: { code: '23505' } },
    ]);
    expect(logged.join('')).not.toContain('a secret');
  });

  it.each([['text'], [{ secret: 'text' }], [undefined]])(
    'that is %j and not an Error is returned in the same way',
    async (thrown) => {
      expect((await failing(thrown)).errors).toEqual([{ ...internal, path: ['fails'] }]);
    },
  );

  it('of an unavailable database is SERVICE_UNAVAILABLE, with its cause only in the log', async () => {
    const { errors } = await failing(new RangeError('a reason'));
    expect(errors).toMatchObject([{ extensions: { code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 1 } }]);
    expect(JSON.stringify(errors)).not.toContain('a reason');
    expect(logged.map((line) => JSON.parse(line))).toMatchObject([
      { requestId: mine.requestId, error: { message: 'a reason' } },
    ]);
  });

  it.each(['missing', 'shade'])('of an answer that violates the schema is an internal error: %s', async (field) => {
    expect((await ask(`{ ${field} }`)).errors).toEqual([{ ...internal, path: [field] }]);
    expect(logged).toHaveLength(1);
  });

  it.each([
    ['query ($n: Int) { page(limit: $n) }', { n: null }],
    ['query ($n: Int) { page(limit: $n) echo }', { n: null }],
  ])('of an argument with a default that was set to null is INVALID_REQUEST: %s', async (query, variables) => {
    expect((await ask(query, variables)).errors).toMatchObject([
      { path: ['page'], message: expect.stringContaining('limit') as string, extensions: { code: 'INVALID_REQUEST' } },
    ]);
    expect(logged).toEqual([]);
  });

  it('leaves the other fields intact', async () => {
    resolver.error = new DomainError('INVALID_STATE', 'Not now.');
    expect((await ask('{ fails echo }')).data).toEqual({ fails: null, echo: '' });
  });
});

it('a change logs one line with its request id and without values; a read logs none', async () => {
  await ask('mutation change($what: String!) { change(what: $what) }', { what: 'a secret' });
  await ask('{ echo }');
  const { requestId, actor } = mine;
  const line = { requestId, operation: 'change', workspaceId: actor.workspaceId, principalId: actor.principalId };
  expect(logged.map((each) => JSON.parse(each))).toMatchObject([line]);
  expect(logged.join('')).not.toContain('a secret');
});

describe('a request', () => {
  it.each([
    ['{ nothing }', undefined],
    ['{ thing { id } }', undefined],
    ['{ thing(id: "1")', undefined],
    ['query ($id: ID!) { thing(id: $id) { id } }', {}],
    ['query ($on: CalendarDate) { echo(on: $on) }', { on: 5 }],
    ['{ __schema { types { name } } }', undefined],
  ])('that violates the schema is INVALID_REQUEST: %s', async (query, variables) => {
    const { data, errors } = await ask(query, variables);
    expect(data ?? null).toBeNull();
    expect(errors?.map(({ extensions }) => extensions)).toEqual([{ code: 'INVALID_REQUEST' }]);
  });

  it("for readiness gets the process's state", async () => {
    expect((await server.inject('/readyz')).statusCode).toBe(200);
    ready = false;
    expect((await server.inject('/readyz')).statusCode).toBe(503);
    expect((await server.inject('/livez')).statusCode).toBe(200);
  });
});
