import { newId } from '@payroll/kernel';
import { sql, write } from '@payroll/store';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { IdempotencyKeys, type KeyedRequest } from '../src/idempotency.js';
import { facadeDatabase } from './support/facade-database.js';

const facade = await facadeDatabase('facade_idempotency_keys');
const { keys } = facade;
afterEach(() => vi.restoreAllMocks());
afterAll(() => facade[Symbol.asyncDispose]());

const request = (): KeyedRequest => ({ principalId: newId(), key: newId(), fingerprint: 'this request' });
const other = (of: KeyedRequest): KeyedRequest => ({ ...of, fingerprint: 'another request' });

test('a key is new once, then known to its request and refused for any other', async () => {
  const first = request();
  expect(await keys.register(first)).toBe('new');
  expect(await keys.register(first)).toBe('known');
  expect(await keys.register(other(first))).toBe('reused');
  expect(await keys.register({ ...other(first), principalId: newId() })).toBe('new');
});

test('of thirty concurrent requests with one key in two processes, it is new to one', async () => {
  const processes = [keys, new IdempotencyKeys(facade.em.fork())];
  const atOnce = async (requests: readonly KeyedRequest[]): Promise<string[]> =>
    (await Promise.all(requests.map((each, n) => processes[n % 2]!.register(each)))).toSorted();
  const [same, different] = [request(), request()];
  expect(await atOnce(Array<KeyedRequest>(30).fill(same))).toEqual([...Array<string>(29).fill('known'), 'new']);
  const requests = Array.from({ length: 30 }, (_, n) => ({ ...different, fingerprint: `request ${n}` }));
  expect(await atOnce(requests)).toEqual(['new', ...Array<string>(29).fill('reused')]);
});

test('a freed key is new to the next request, whichever it is', async () => {
  const first = request();
  await keys.register(first);
  await keys.free(first);
  expect(await keys.register(other(first))).toBe('new');
  expect(await keys.register(first)).toBe('reused');
});

test('a request does not free a key that now belongs to another request', async () => {
  const first = request();
  await keys.register(first);
  await keys.free(first);
  await keys.register(other(first));
  await keys.free(first);
  expect(await keys.register(first)).toBe('reused');
});

test('a key that is freed during its lookup is registered', async () => {
  const first = request();
  await keys.register(first);
  const query = facade.pool.query.bind(facade.pool) as (...args: unknown[]) => Promise<unknown>;
  const statements: string[] = [];
  vi.spyOn(facade.pool, 'query').mockImplementation((async (statement: { text: string }) => {
    const isFirstLook = statement.text.startsWith('select') && !statements.some((text) => text.startsWith('select'));
    statements.push(statement.text);
    if (isFirstLook) await query('delete from idempotency_key where key = $1', [first.key]);
    return await query(statement);
  }) as never);
  expect(await keys.register(other(first))).toBe('new');
  expect(statements.map((text) => text.slice(0, 6))).toEqual(['insert', 'select', 'insert']);
});

test('a locked key is unavailable at the moment, and the others are not', async () => {
  const [taken, free] = [request(), request()];
  const holder = await facade.pool.connect();
  try {
    // As if it were being registered; our processes hold that lock for a statement only.
    await holder.query('begin');
    const row = [taken.principalId, taken.key, taken.fingerprint];
    await holder.query('insert into idempotency_key values ($1, $2, $3)', row);
    await Promise.all([
      expect(keys.register(taken)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' }),
      expect(keys.register(free)).resolves.toBe('new'),
    ]);
    await holder.query('rollback');
  } finally {
    holder.release();
  }
  expect(await keys.register(taken)).toBe('new');
});

test('Postgres allows no process to change the request of a key', async () => {
  await keys.register(request());
  const changed = write(facade.em, sql`update idempotency_key set fingerprint = 'another request'`);
  await expect(changed).rejects.toThrow('permission denied');
});
