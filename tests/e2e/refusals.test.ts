import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { ask } from '@payroll/tools/demo/graphql-client';
import type { RawAnswer } from '../support/client/client.js';
import type { Operation } from '../support/document.js';
import { api, internal, must, newIntegrator, once, straight } from './integrator.js';
import { letMinutePass } from './owner.js';

const { key } = await newIntegrator();
const closed = api.document.operations.filter(({ isPublic }) => !isPublic);
const writes = closed.filter(({ method }) => method === 'POST');
const byId = closed.filter(({ path }) => path.includes('{id}'));
const named = (operations: readonly Operation[]) => operations.map((each) => [each.id, each] as const);

/** A body that its operation's schema accepts. */
const fitting = (path: string): object =>
  path === '/contracts'
    ? { title: 'Fits' }
    : { expectedVersion: 'x', ...(path.endsWith('/reject') && { reason: 'No' }) };

interface Parts {
  key?: string | undefined;
  id?: string;
  query?: string;
  headers?: Record<string, string>;
  body?: string;
}

/** A request that is valid except for the given parts. */
async function send({ method, path }: Operation, parts: Parts = {}, via = api): Promise<RawAnswer> {
  const { id = randomUUID(), query = '', headers = {}, body = JSON.stringify(fitting(path)) } = parts;
  const write = { 'content-type': 'application/json', 'idempotency-key': randomUUID() };
  return await via.raw({
    method,
    path,
    params: { id },
    query,
    key: 'key' in parts ? parts.key : key,
    ...(method === 'POST' ? { headers: { ...write, ...headers }, body } : { headers }),
  });
}

const code = ({ status, text }: RawAnswer): string =>
  `${status} ${(JSON.parse(text) as { error: { code: string } }).error.code}`;

const details = ({ text }: RawAnswer): unknown => (JSON.parse(text) as { error: { details?: unknown } }).error.details;

describe('every operation', () => {
  it.each(named(closed))('%s refuses a missing credential, a wrong scheme and an unknown key', async (_, op) => {
    await letMinutePass();
    const wrong = [undefined, 'nonsense', `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`];
    for (const bad of wrong) {
      const answer = await send(op, { key: bad });
      expect(code(answer)).toBe('401 INVALID_CREDENTIAL');
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    }
    expect(code(await send(op, { key: undefined, headers: { authorization: `Basic ${btoa(key)}` } }))).toMatch(/^401/);
  });

  it.each(named(closed))('%s refuses an unknown query parameter, and names it', async (_, op) => {
    const answer = await send(op, { query: '?surprise=1' });
    expect([code(answer), details(answer)]).toEqual([
      '400 INVALID_REQUEST',
      [{ path: 'surprise', code: 'unknown_property' }],
    ]);
  });

  it.each(named(byId))('%s answers 404 for an unknown id, and 400 for a malformed one', async (_, op) => {
    expect(code(await send(op))).toBe('404 NOT_FOUND');
    const bad = await send(op, { id: 'no-id' });
    expect([code(bad), details(bad)]).toEqual(['400 INVALID_REQUEST', [{ path: 'id', code: 'invalid_format' }]]);
  });

  it.each(named(closed))('%s returns the request id and the remaining limits', async (_, op) => {
    const { headers, status, text } = await send(op);
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(headers.get('ratelimit')).toMatch(/^"(reads|writes|workspace)";r=\d+;t=\d+/);
    if (status >= 400) expect(text).toContain(headers.get('x-request-id'));
  });
});

describe('every write', () => {
  it.each(named(writes))('%s needs an Idempotency-Key of 16 to 128 letters, digits, _ and -', async (_, op) => {
    for (const bad of ['', 'fifteen-letters', 'x'.repeat(129), 'sixteen letters!']) {
      const answer = await send(op, { headers: { 'idempotency-key': bad } }, straight);
      expect(code(answer)).toBe('400 INVALID_REQUEST');
      expect(details(answer)).toMatchObject([{ path: 'Idempotency-Key' }]);
    }
  });

  it.each(named(writes))('%s refuses malformed JSON and another content type', async (_, op) => {
    expect(code(await send(op, { body: '{"title": ' }, straight))).toBe('400 INVALID_REQUEST');
    const asText = await send(op, { headers: { 'content-type': 'text/plain' } });
    expect([code(asText), details(asText)]).toEqual([
      '400 INVALID_REQUEST',
      [{ path: 'Content-Type', code: 'invalid_value' }],
    ]);
  });

  it.each(named(writes))('%s refuses an invalid body and names every invalid path at once', async (_, op) => {
    const answer = await send(op, {
      body: JSON.stringify({ surprise: 1, title: 7, expectedVersion: '', reason: ' ' }),
    });
    expect(code(answer)).toBe('422 VALIDATION_FAILED');
    const guilty = (details(answer) as { path: string }[]).map(({ path }) => path);
    expect(guilty).toEqual(
      expect.arrayContaining(['surprise', op.path === '/contracts' ? 'title' : 'expectedVersion']),
    );
  });

  it.each(named(writes))('%s refuses more than 1 MiB', async (_, op) => {
    const body = JSON.stringify({ ...fitting(op.path), filler: 'x'.repeat(1_048_576) });
    expect(code(await send(op, { body }, straight))).toBe('413 PAYLOAD_TOO_LARGE');
  });
});

describe('role and scopes', () => {
  const may = (op: Operation, who: { key: string }) => send(op, { key: who.key }).then(code);

  it('a viewer reads and writes nothing; a member drafts and reviews nothing', async () => {
    const [viewer, member] = [await newIntegrator({ role: 'viewer' }), await newIntegrator({ role: 'member' })];
    for (const op of writes) {
      expect(await may(op, viewer)).toBe('403 INSUFFICIENT_SCOPE');
      if (op.path !== '/contracts') expect(await may(op, member)).toBe('403 INSUFFICIENT_SCOPE');
    }
    expect(must(await viewer.v1.GET('/business'))).toBeDefined();
    expect((await member.v1.POST('/contracts', { params: once(), body: { title: 'Mine' } })).response.status).toBe(201);
  });

  it('a scope allows its own operations and no others', async () => {
    const onlyTimesheets = await newIntegrator({ scopes: ['timesheets:write'] });
    for (const op of closed) {
      const expected =
        op.path.startsWith('/timesheets/') && op.method === 'POST' ? '404 NOT_FOUND' : '403 INSUFFICIENT_SCOPE';
      expect(await may(op, onlyTimesheets)).toBe(expected);
    }
  });
});

describe('switches of a workspace', () => {
  const set = async (integrationEnabled: boolean, writesEnabled: boolean) =>
    await ask(
      internal(1),
      `mutation { setIntegrationSwitches(integrationEnabled: ${integrationEnabled}, writesEnabled: ${writesEnabled}) { id } }`,
    );

  it('with writes disabled only reads work; with the integration disabled they are refused too', async () => {
    const there = await newIntegrator({ workspace: 1 });
    try {
      await set(true, false);
      expect((await there.v1.GET('/business')).response.status).toBe(200);
      for (const op of writes) expect(code(await send(op, { key: there.key }))).toBe('403 WRITES_DISABLED');
      await set(false, true);
      for (const op of closed) expect(code(await send(op, { key: there.key }))).toBe('403 INTEGRATION_DISABLED');
    } finally {
      await set(true, true);
    }
  });
});
