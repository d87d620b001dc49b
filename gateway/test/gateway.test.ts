import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Gateway, supergraph, type Caller } from '../src/index.js';
import { startFakeSubgraphs, type FakeSubgraphs } from './fake-subgraphs.js';

const ONE = 'query ($id: ID!) { timesheet(id: $id) { id status contractId } }';
const JOINED = 'query ($id: ID!) { timesheet(id: $id) { status payment { status } } }';
const APPROVE = `mutation ($id: ID!, $v: String!) { approveTimesheet(id: $id, expectedVersion: $v) { status } }`;

let fakes: FakeSubgraphs;
let gateway: Gateway;

beforeEach(async () => {
  fakes = await startFakeSubgraphs();
  gateway = new Gateway({ supergraph: supergraph(), subgraphs: fakes.urls });
  fakes.answers.review = ({ variables }) => ({
    data: { timesheet: { id: variables?.['id'], status: 'submitted', contractId: 'c' } },
  });
});

afterEach(async () => {
  await gateway[Symbol.asyncDispose]();
  await fakes[Symbol.asyncDispose]();
});

const caller = (name: string): Caller => ({
  tokens: { workspaces: `${name}-w`, contracts: `${name}-c`, review: `${name}-r`, payments: `${name}-p` },
  requestId: name,
});

describe('a prepared operation', () => {
  it('that does not match the schema is refused when it is prepared', () => {
    expect(() => gateway.prepare('{ timesheet(id: "x") { salary } }')).toThrow('salary');
  });

  it('of a single service is sent to it as written', async () => {
    const operation = gateway.prepare<object, { id: string }>(ONE);
    const answer = await operation.run({ id: 'a' }, caller('ada'));
    expect(answer).toEqual({ timesheet: { id: 'a', status: 'submitted', contractId: 'c' } });
    expect(fakes.messages.review).toMatchObject([
      [{ query: 'query($id:ID!){timesheet(id:$id){id status contractId}}', variables: { id: 'a' } }],
    ]);
  });

  it('must be a single operation without fragments', () => {
    const isRefused = 'A prepared operation is one operation without fragments.';
    expect(() => gateway.prepare('query A { business { id } } query B { business { id } }')).toThrow(isRefused);
    expect(() => gateway.prepare('{ ...all } fragment all on Query { business { id } }')).toThrow(isRefused);
  });

  it('shows each service the token made for it, and no other', async () => {
    fakes.answers.review = () => ({
      data: { timesheet: { status: 'approved', payment: { __typename: 'Payment', id: 'p' } } },
    });
    fakes.answers.payments = () => ({ data: { _entities: [{ status: 'pending' }] } });
    const operation = gateway.prepare<object, { id: string }>(JOINED);
    const joined = await operation.run({ id: 'a' }, caller('ada'));
    expect(joined).toEqual({ timesheet: { status: 'approved', payment: { status: 'pending' } } });
    expect(fakes.messages.review.flat().map(({ token }) => token)).toEqual(['ada-r']);
    expect(fakes.messages.payments.flat().map(({ token }) => token)).toEqual(['ada-p']);
  });

  it.each([ONE, JOINED])('gives null for a missing resource: %s', async (source) => {
    fakes.answers.review = () => ({ data: { timesheet: null } });
    const operation = gateway.prepare<object, { id: string }>(source);
    expect(await operation.run({ id: 'a' }, caller('ada'))).toEqual({ timesheet: null });
  });

  it.each([ONE, JOINED])("throws the service's refusal with its code, details and delay: %s", async (source) => {
    const details = [{ path: 'id', code: 'odd' }];
    const extensions = { code: 'RATE_LIMITED', details, retryAfterSeconds: 7 };
    const operation = gateway.prepare<object, { id: string }>(source);
    fakes.answers.review = () => ({ data: { timesheet: null }, errors: [{ message: 'slow down', extensions }] });
    await expect(operation.run({ id: 'a' }, caller('ada'))).rejects.toMatchObject({
      code: 'RATE_LIMITED',
      message: 'slow down',
      details,
      retryAfterSeconds: 7,
    });
  });

  it("hides a service's error that has none of our codes", async () => {
    fakes.answers.review = () => ({ data: null, errors: [{ message: 'relation "secret" does not exist' }] });
    const run = gateway.prepare<object, { id: string }>(ONE).run({ id: 'a' }, caller('ada'));
    await expect(run).rejects.toMatchObject({ code: 'INTERNAL_ERROR', message: 'Something failed on our side.' });
  });
});

describe('an operation whose answer is passed on', () => {
  const PAGE = '{ timesheets { data: nodes { id status } hasMore } }';
  const textOf = (operation: string) => gateway.prepare(operation).runToText({}, caller('ada'));

  it('is the text that the service wrote, whatever it contains', async () => {
    fakes.answers.review = () => '{"data":{"timesheets":{"odd" : [1,2]}}}';
    expect(await textOf(PAGE)).toBe('{"odd" : [1,2]}');
    fakes.answers.review = () => '{"data":{"timesheets":null}}';
    expect(await textOf(PAGE)).toBe('null');
    fakes.answers.review = () => '{"extensions":{"replayed":true},"data":{"timesheets":{"hasMore":false}}}';
    expect(await textOf(PAGE)).toBe('{"hasMore":false}');
  });

  it('is found by its alias, for a mutation too', async () => {
    fakes.answers.review = () => ({ data: { done: { status: 'approved' } } });
    const approve = 'mutation { done: approveTimesheet(id: "a", expectedVersion: "1") { status } }';
    expect(await textOf(approve)).toBe('{"status":"approved"}');
  });

  it('is its first field if it has several, also if several services answer them', async () => {
    fakes.answers.review = () => ({ data: { timesheets: { hasMore: false }, milestone: { id: 'a' } } });
    expect(await textOf('{ timesheets { hasMore } milestone(id: "a") { id } }')).toBe('{"hasMore":false}');
    fakes.answers.review = () => ({ data: { timesheet: { payment: { __typename: 'Payment', id: 'p' } } } });
    fakes.answers.payments = () => ({ data: { _entities: [{ status: 'pending' }] } });
    expect(await textOf('{ timesheet(id: "a") { payment { status } } }')).toBe('{"payment":{"status":"pending"}}');
  });

  it('is refused like any other', async () => {
    const extensions = { code: 'INVALID_REQUEST', details: [{ path: 'cursor', code: 'invalid_cursor' }] };
    fakes.answers.review = () => ({ errors: [{ message: 'Not a cursor.', extensions }], data: null });
    await expect(textOf(PAGE)).rejects.toMatchObject(extensions);
  });

  it.each(['[0,{"data":{}}]', 'nonsense', '{"data":{"other":1}'])(
    'is unavailable or failed if a service answers %s',
    async (odd) => {
      fakes.answers.review = () => odd;
      await expect(textOf(PAGE)).rejects.toThrow();
    },
  );

  it('returns its own raw JSON to each of 12 concurrent requests', async () => {
    const operation = gateway.prepare<object, { id: string }>(ONE);
    fakes.answers.review = ({ variables }) => ({ data: { timesheet: { id: `${String(variables?.['id'])}\n` } } });
    const ids = Array.from({ length: 12 }, (_, n) => `n${n}`);
    const answers = await Promise.all(ids.map((id) => operation.runToText({ id }, caller(id))));
    expect(answers).toEqual(ids.map((id) => `{"id":"${id}\\n"}`));
  });
});

describe('requests to a service that is answering others', () => {
  const one = (name: string, isGone?: () => boolean) =>
    gateway
      .prepare<{ timesheet: { id: string } }, { id: string }>(ONE)
      .run({ id: name }, { ...caller(name), ...(isGone && { isGone }) });

  const timesheet = (variables?: Record<string, unknown>) => ({
    data: { timesheet: { id: variables?.['id'], status: 'submitted', contractId: 'c' } },
  });

  it('are sent together once these are answered', async () => {
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    fakes.answers.review = async ({ variables }) => {
      if (variables?.['id'] === 'first') await answered;
      return timesheet(variables);
    };
    const first = one('first');
    await vi.waitUntil(() => fakes.messages.review.length === 1);
    const others = [one('second'), one('third')];
    answer();
    expect((await Promise.all([first, ...others])).map(({ timesheet }) => timesheet.id)).toEqual([
      'first',
      'second',
      'third',
    ]);
    expect(fakes.messages.review.map((message) => message.length)).toEqual([1, 2]);
  });

  it('do not wait for a slow one, even if it was sent with them', async () => {
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    fakes.answers.review = async ({ variables }) => {
      if (variables?.['id'] === 'slow') await answered;
      return timesheet(variables);
    };
    const slow = one('slow');
    expect((await one('with it')).timesheet.id).toBe('with it');
    expect((await one('after it')).timesheet.id).toBe('after it');
    answer();
    expect((await slow).timesheet.id).toBe('slow');
  });

  it('get their answers even if the message breaks off for one of them', async () => {
    fakes.answers.review = async ({ variables }) => {
      if (variables?.['id'] !== 'poisoned') return timesheet(variables);
      await received;
      throw new Error('the connection is lost');
    };
    const { promise: received, resolve: receive } = Promise.withResolvers<void>();
    const poisoned = one('poisoned').catch((error: unknown) => error);
    const good = one('good');
    expect((await good).timesheet.id).toBe('good');
    receive();
    expect(await poisoned).toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 1 });
  });

  it('are not sent for a caller that has disconnected, and reach the service for the others', async () => {
    const gone = one('gone', () => true);
    const stays = one('stays');
    await expect(gone).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect((await stays).timesheet.id).toBe('stays');
    expect(fakes.messages.review.flat().map(({ token }) => token)).toEqual(['stays-r']);
  });
});

describe('requests of one tick', () => {
  it('are sent together, each with its own token, and answered to their own callers', async () => {
    const operation = gateway.prepare<{ timesheet: { id: string } }, { id: string }>(ONE);
    await operation.run({ id: 'first' }, caller('first'));
    fakes.messages.review.length = 0;
    const names = Array.from({ length: 20 }, (_, n) => `n${n}`);
    const answers = await Promise.all(names.map((name) => operation.run({ id: name }, caller(name))));
    expect(answers.map(({ timesheet }) => timesheet.id)).toEqual(names);
    expect(fakes.messages.review).toHaveLength(1);
    expect(fakes.messages.review[0]?.map(({ token }) => token)).toEqual(names.map((name) => `${name}-r`));
  });

  it('do not wait for a mutation, and neither does another mutation', async () => {
    const { promise: decided, resolve: decide } = Promise.withResolvers<void>();
    fakes.answers.review = async ({ query }) => {
      if (!query.startsWith('mutation')) return { data: { timesheet: null } };
      await decided;
      return { data: { approveTimesheet: { status: 'approved' } } };
    };
    const approval = gateway
      .prepare<object, { id: string; v: string }>(APPROVE)
      .run({ id: 'a', v: '1' }, caller('ada'));
    const read = gateway.prepare<object, { id: string }>(ONE).run({ id: 'a' }, caller('bob'));
    expect(await read).toEqual({ timesheet: null });
    const later = gateway.prepare<object, { id: string; v: string }>(APPROVE).run({ id: 'b', v: '1' }, caller('eve'));
    await expect.poll(() => fakes.messages.review.length).toBe(3);
    decide();
    expect(await later).toEqual(await approval);
  });

  it('share a message if they are mutations of one tick, each with the token of its caller', async () => {
    fakes.answers.review = () => Promise.resolve({ data: { approveTimesheet: { status: 'approved' } } });
    const approve = gateway.prepare<object, { id: string; v: string }>(APPROVE);
    await approve.run({ id: 'first', v: '1' }, caller('first'));
    fakes.messages.review.length = 0;
    await Promise.all(['ada', 'bob'].map((name) => approve.run({ id: name, v: '1' }, caller(name))));
    expect(fakes.messages.review.map((message) => message.map(({ token }) => token))).toEqual([['ada-r', 'bob-r']]);
  });
});

it('a service that is down is SERVICE_UNAVAILABLE with a delay, for requests that need it', async () => {
  await using elsewhere = new Gateway({
    supergraph: supergraph(),
    subgraphs: { ...fakes.urls, review: 'http://127.0.0.1:1/graphql' },
  });
  const run = elsewhere.prepare<object, { id: string }>(ONE).run({ id: 'a' }, caller('ada'));
  await expect(run).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 1 });
});
