import { generateKeySync } from 'node:crypto';
import { chmod, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHttpServer, createLog } from '@payroll/runtime';
import { CALLBACK_HEADERS, isGenuine, readStatement } from '@payroll/provider-protocol';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createProvider } from '../src/app.js';
import { startCallingBack } from '../src/call-back.js';
import { readConfig } from '../src/config.js';
import { NO_FAULTS } from '../src/faults.js';
import { Orders } from '../src/orders.js';

let dir: string;
let url: string;
let orders: Orders;
let stack: AsyncDisposableStack;
const faults = { ...NO_FAULTS };
const log = createLog('sandbox-provider', 'silent');

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'provider-'));
  stack = new AsyncDisposableStack();
  stack.defer(() => rm(dir, { recursive: true }));
  orders = stack.use(new Orders(join(dir, 'orders.sqlite')));
  const app = createProvider({ orders, faults, key: 'k', log, waitingFor: () => Promise.resolve([]) });
  stack.adopt(app, (open) => open.close());
  url = await app.listen({ host: '127.0.0.1', port: 0 });
  await control('PUT', 'faults', {});
});
afterEach(() => stack.disposeAsync());

interface Answered {
  status: number;
  text: string;
}

async function send(method: string, path: string, body?: object, headers: object = {}): Promise<Answered> {
  const json = body && { 'content-type': 'application/json' };
  const all = { authorization: 'Bearer k', ...json, ...headers };
  const response = await fetch(url + path, { method, headers: all, ...(body && { body: JSON.stringify(body) }) });
  return { status: response.status, text: await response.text() };
}

const control = (method: string, what: string, body?: object) => send(method, `/control/${what}`, body);
const terms = { amount: '10.00', currency: 'EUR', method: 'wise', destination: 'iban', recipient: 'w' };
const LATER = '2999-01-01T00:00:00.000Z';
const submit = (key: string, destination = 'iban', validUntil = LATER) =>
  send('POST', '/payouts', { ...terms, destination, validUntil }, { 'idempotency-key': key });
const cancel = (key: string) => send('POST', `/payouts/${key}/cancel`, terms);
const lookUp = (key: string) => send('GET', `/payouts/${key}`);
const statusOf = ({ text }: Answered): unknown => (JSON.parse(text) as { status?: string }).status;
const books = async (): Promise<unknown[]> =>
  (await control('GET', 'orders')).text.split('\n').flatMap((line) => (line ? [JSON.parse(line) as unknown] : []));

it('a request without the key is 401', async () => {
  for (const path of ['/payouts/x', '/statements/2027-06-01', '/control/orders']) {
    expect((await send('GET', path, undefined, { authorization: 'Bearer l' })).status).toBe(401);
  }
});

it('orders survive a restart', async () => {
  await submit('m:1');
  using reopened = new Orders(join(dir, 'orders.sqlite'));
  expect(reopened.find('m:1')).toMatchObject({ state: 'settled', amount: '10.00' });
});

it('a forgotten order is no longer found, and the books record that it was ordered again', async () => {
  await control('PUT', 'faults', { forgets: 1 });
  expect(statusOf(await submit('m:1'))).toBe('submitted');
  expect(await lookUp('m:1')).toMatchObject({
    status: 404,
    text: expect.stringContaining('PAYOUT_NOT_FOUND') as string,
  });
  expect(await books()).toMatchObject([{ state: 'lost', forgotten: 1, submissions: 0 }]);
  await submit('m:1');
  expect(await books()).toMatchObject([{ state: 'settled', forgotten: 1, submissions: 1 }]);
  await control('PUT', 'faults', {});
  await submit('m:2', 'sandbox:stays-under-way');
  const forgotten = await control('POST', 'forget', { idempotencyKeys: ['m:1', 'm:2'] });
  expect(JSON.parse(forgotten.text), 'what is settled stays').toEqual({ forgotten: ['m:2'] });
});

it('an answer is lost after the work is done', async () => {
  await control('PUT', 'faults', { answersLost: 1 });
  await expect(submit('m:1')).rejects.toThrow();
  expect(await books()).toMatchObject([{ state: 'settled' }]);
});

it('a failure does nothing', async () => {
  await control('PUT', 'faults', { fails: 1 });
  expect((await submit('m:1')).status).toBe(503);
  expect(await books()).toEqual([]);
});

it('while it is down only the control calls are answered', async () => {
  await control('PUT', 'faults', { isDown: true });
  await expect(submit('m:1')).rejects.toThrow();
  expect(JSON.parse((await control('GET', 'faults')).text)).toMatchObject({ isDown: true, fails: 0 });
  expect((await control('PUT', 'faults', { isUp: 1 })).status).toBe(400);
});

it('the statement of a day has the orders settled or declined on it', async () => {
  await submit('m:1');
  await submit('m:2', 'sandbox:declines');
  await submit('m:3', 'sandbox:stays-under-way');
  const today = new Date().toISOString().slice(0, 10);
  const { periods, lines } = readStatement((await send('GET', `/statements/${today}`)).text);
  expect(lines.map(({ idempotencyKey, status }) => [idempotencyKey, status]).toSorted()).toEqual([
    ['m:1', 'settled'],
    ['m:2', 'declined'],
  ]);
  expect(periods[0]!.from).toBe(`${today}T00:00:00.000Z`);
  expect(readStatement((await send('GET', '/statements/2027-01-01')).text).lines).toEqual([]);
  expect((await send('GET', '/statements/yesterday')).status).toBe(404);
});

it('a settlement or decline is sent as a signed callback until it is acknowledged', async () => {
  const key = generateKeySync('hmac', { length: 256 });
  const heard: string[] = [];
  let status = 503;
  const listener = stack.adopt(createHttpServer({}), (open) => open.close());
  listener.removeAllContentTypeParsers();
  listener.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  listener.post('/', async ({ headers, body }, reply) => {
    const signed = { timestamp: headers[CALLBACK_HEADERS.timestamp], signature: headers[CALLBACK_HEADERS.signature] };
    if (isGenuine(key, signed, body as Buffer, Date.now())) heard.push(String(body));
    return await reply.code(status).send();
  });
  const callback = { url: await listener.listen({ host: '127.0.0.1', port: 0 }), key };
  stack.use(startCallingBack({ orders, faults, callback, log }));
  await submit('m:1', 'sandbox:settles-later');
  await expect.poll(() => heard.length, { timeout: 10_000 }).toBeGreaterThanOrEqual(2);
  expect(new Set(heard)).toEqual(new Set(['{"idempotencyKey":"m:1"}']));
  expect(statusOf(await lookUp('m:1'))).toBe('settled');
  status = 204;
  await control('PUT', 'faults', { callbackCopies: 2 });
  await submit('m:2');
  await expect.poll(() => heard.filter((each) => each.includes('m:2')).length).toBe(2);
});

it('refuses to start in a live deployment', () => {
  const env = {
    ...{ DEPLOYMENT: 'live', ORDERS_FILE: 'x', PROVIDER_KEY: 'k', CALLBACK_KEY: '0'.repeat(64) },
    CALLBACK_URL: 'https://payments.example',
  };
  expect(() => readConfig(env)).toThrow('pays nobody');
  expect(readConfig({ ...env, DEPLOYMENT: 'test' })).toMatchObject({ ordersFile: 'x' });
});

it('the tester settles or declines an order in progress, which is then final', async () => {
  await submit('m:1', 'sandbox:stays-under-way');
  const finish = (status: string, idempotencyKey = 'm:1') => control('POST', 'finish', { idempotencyKey, status });
  expect(statusOf(await finish('declined'))).toBe('declined');
  expect(statusOf(await finish('settled'))).toBe('declined');
  expect(statusOf(await lookUp('m:1'))).toBe('declined');
  expect((await finish('settled', 'm:2')).status).toBe(404);
  expect((await finish('lost')).status).toBe(400);
});

it('an expired order is refused, unless it arrived before', async () => {
  const over = new Date().toISOString();
  const refused = await submit('m:1', 'iban', over);
  expect(refused).toMatchObject({ status: 409, text: expect.stringContaining('ORDER_EXPIRED') as string });
  expect(await books()).toEqual([]);
  await submit('m:1');
  expect(statusOf(await submit('m:1', 'iban', over))).toBe('settled');
  await submit('m:2', 'sandbox:stays-under-way');
  await control('POST', 'forget', { idempotencyKeys: ['m:2'] });
  expect((await submit('m:2', 'iban', over)).status, 'a lost order has not arrived').toBe(409);
});

it("a key cancelled before its order arrives is declined permanently, and in the day's statement", async () => {
  expect(statusOf(await cancel('m:1'))).toBe('declined');
  expect(statusOf(await submit('m:1'))).toBe('declined');
  await submit('m:2', 'sandbox:stays-under-way');
  await control('POST', 'forget', { idempotencyKeys: ['m:2'] });
  expect(statusOf(await cancel('m:2'))).toBe('declined');
  expect(statusOf(await submit('m:2'))).toBe('declined');
  const { lines } = readStatement((await send('GET', `/statements/${new Date().toISOString().slice(0, 10)}`)).text);
  expect(lines.map(({ idempotencyKey }) => idempotencyKey).toSorted()).toEqual(['m:1', 'm:2']);
});

it('an order that has arrived is not cancelled: the answer is its state', async () => {
  await submit('m:1');
  await submit('m:2', 'sandbox:stays-under-way');
  expect([statusOf(await cancel('m:1')), statusOf(await cancel('m:2'))]).toEqual(['settled', 'submitted']);
  expect(statusOf(await lookUp('m:2'))).toBe('submitted');
});

it('orders are listed from a moment on, page by page, without lost ones', async () => {
  const keys = Array.from({ length: 205 }, (_, n) => `m:${String(n).padStart(3, '0')}`);
  for (const key of keys) {
    const order = { ...terms, amount: '1.00', method: 'wise' as const };
    orders.submit(key, order, key === 'm:007' ? 'lost' : 'settled');
  }
  type Page = { orders: { idempotencyKey: string; orderedAt: string; recipient: string }[]; next: string | null };
  const pages: Page[] = [];
  const since = '2020-01-01T00:00:00Z';
  for (let next: string | null = ''; next !== null; next = pages.at(-1)!.next) {
    const after = next && `&after=${encodeURIComponent(next)}`;
    const { text } = await send('GET', `/orders?since=${since}${after}`);
    pages.push(JSON.parse(text) as Page);
  }
  const listed = pages.flatMap((page) => page.orders);
  expect(pages.map((page) => page.orders.length)).toEqual([100, 100, 4]);
  expect(listed.map(({ idempotencyKey }) => idempotencyKey).toSorted()).toEqual(keys.filter((key) => key !== 'm:007'));
  expect(listed[0]).toMatchObject({ recipient: 'w', orderedAt: expect.any(String) as string });
  const later = JSON.parse((await send('GET', `/orders?since=${LATER}`)).text) as Page;
  expect(later).toEqual({ orders: [], next: null });
  expect((await send('GET', '/orders?since=yesterday')).status).toBe(400);
});

it('only its own user can read its files, including those of an earlier version', async () => {
  const modes = async () => {
    const files = (await readdir(dir)).filter((name) => name.startsWith('orders.sqlite'));
    expect(files.length).toBeGreaterThan(1);
    return await Promise.all(files.map(async (name) => (await stat(join(dir, name))).mode & 0o777));
  };
  expect(new Set(await modes())).toEqual(new Set([0o600]));
  const old = join(dir, 'old.sqlite');
  new Orders(old)[Symbol.dispose]();
  await chmod(old, 0o644);
  new Orders(old)[Symbol.dispose]();
  expect((await stat(old)).mode & 0o777).toBe(0o600);
});
