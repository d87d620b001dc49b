import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import * as sdk from './index.js';
import { newOperation, Payroll, type Attempt } from './index.js';

type Reply = (request: IncomingMessage, response: ServerResponse) => void;

const KEY = 'sk_test_very_secret';
const ID = '019a8c10-5d2e-7f61-b3a4-9e07c1d58203';
const reviewed = { id: ID, version: 'kE3vXq0Zt7mYb2sRf9LwQA' };

let replies: Reply[];
let requests: { method: string; url: string; headers: IncomingMessage['headers']; body: string }[];
let attempts: Attempt[];
let baseUrl: string;
let payroll: Payroll;
let started: DisposableStack;

beforeEach(async () => {
  [replies, requests, attempts] = [[], [], []];
  started = new DisposableStack();
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      requests.push({ method: request.method!, url: request.url!, headers: request.headers, body });
      (replies.shift() ?? ok({}))(request, response);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  started.defer(() => {
    server.closeAllConnections();
    server.close();
  });
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  payroll = new Payroll({ baseUrl, key: KEY, onAttempt: (attempt) => attempts.push(attempt) });
});
afterEach(() => started.dispose());

const ok =
  (body: object, headers: Record<string, string> = {}): Reply =>
  (_, response) =>
    void response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));

const refuse =
  (status: number, code: string, headers: Record<string, string> = {}): Reply =>
  (_, response) => {
    const error = { type: 'conflict', code, message: `${code}.`, status, requestId: ID };
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify({ error }));
  };

const cut: Reply = (request) => void request.socket.destroy();
const cutInTheMiddle: Reply = (_, response) => {
  response.writeHead(200, { 'content-length': '100' });
  response.write('{"id":', () => response.destroy());
};
const page: Reply = (_, response) =>
  void response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway');

it.each(['502', '503'])(
  'without an answer of the service until the deadline, %s of a proxy says what is unknown',
  async (status) => {
    const proxy: Reply = (_, response) => void response.writeHead(Number(status)).end('<h1>Sorry');
    replies = Array.from({ length: 10 }, () => proxy);
    const failure: unknown = await payroll
      .approveTimesheet(reviewed, { operation: newOperation(), deadlineMs: 600 })
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(sdk.NoAnswerError);
    expect(failure).toMatchObject({
      message: expect.stringContaining('whether it was done is unknown') as string,
      cause: { code: `HTTP_${status}` },
    });
  },
);

it('the address, the key and the operation are named if they are missing', async () => {
  const missing = undefined as unknown as string;
  expect(() => new sdk.Payroll({ baseUrl: missing, key: 'a' })).toThrow('baseUrl is no address');
  expect(() => new sdk.Payroll({ baseUrl: 'http://127.0.0.1/v1', key: missing })).toThrow('key is missing');
  const without = payroll.approveTimesheet(reviewed, undefined as unknown as sdk.Writing);
  await expect(without).rejects.toThrow('approveTimesheet needs an operation');
});

describe('is sent again, with the same key and the same bytes', () => {
  it.each([
    ['a connection that was cut', cut],
    ['an answer that broke off', cutInTheMiddle],
    ['a 2xx that is no JSON', (_: IncomingMessage, response: ServerResponse) => void response.end('<p>')],
    ['502 of a proxy', page],
    ['503', refuse(503, 'SERVICE_UNAVAILABLE')],
    ['504', refuse(504, 'GATEWAY_TIMEOUT')],
    ['429', refuse(429, 'RATE_LIMITED', { 'retry-after': '0' })],
    ['OPERATION_IN_PROGRESS', refuse(409, 'OPERATION_IN_PROGRESS')],
  ] satisfies [string, Reply][])('after %s', async (_, reply) => {
    const operation = newOperation();
    replies = [reply, reply, ok({ id: ID }, { 'idempotency-replayed': 'true' })];
    const draft = { title: 'Backend', compensation: { type: 'hourly', rate: '85.10' } } as const;
    expect(await payroll.createContract(draft, { operation })).toEqual({ id: ID });
    expect(requests.length).toBe(3);
    for (const { method, url, body, headers } of requests) {
      expect([method, url]).toEqual(['POST', '/v1/contracts']);
      expect(body).toBe('{"title":"Backend","compensation":{"type":"hourly","rate":85.10}}');
      expect(headers).toMatchObject({ 'idempotency-key': operation, authorization: `Bearer ${KEY}` });
    }
    expect(attempts.map(({ number, isReplayed }) => [number, isReplayed])).toEqual([
      [1, false],
      [2, false],
      [3, true],
    ]);
  });
});

it.each([
  [400, 'INVALID_REQUEST', 'InvalidRequestError'],
  [401, 'INVALID_CREDENTIAL', 'InvalidCredentialError'],
  [403, 'INSUFFICIENT_SCOPE', 'InsufficientScopeError'],
  [403, 'INTEGRATION_DISABLED', 'IntegrationDisabledError'],
  [403, 'WRITES_DISABLED', 'WritesDisabledError'],
  [404, 'NOT_FOUND', 'NotFoundError'],
  [409, 'STALE_RESOURCE_VERSION', 'StaleResourceVersionError'],
  [409, 'INVALID_STATE', 'InvalidStateError'],
  [409, 'IDEMPOTENCY_KEY_REUSED', 'IdempotencyKeyReusedError'],
  [409, 'OPERATION_EXPIRED', 'OperationExpiredError'],
  [409, 'EXTERNAL_REFERENCE_EXISTS', 'ExternalReferenceExistsError'],
  [413, 'PAYLOAD_TOO_LARGE', 'PayloadTooLargeError'],
  [422, 'VALIDATION_FAILED', 'ValidationFailedError'],
  [500, 'INTERNAL_ERROR', 'InternalError'],
  [418, 'OF_A_LATER_VERSION', 'ApiError'],
  [500, 'toString', 'ApiError'],
] as const)('%i %s is thrown at once', async (status, code, name) => {
  replies = [refuse(status, code)];
  const failure: unknown = await payroll
    .approveTimesheet(reviewed, { operation: newOperation() })
    .catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(sdk.ApiError);
  expect(failure).toBeInstanceOf(new Map(Object.entries(sdk)).get(name));
  expect(failure).toMatchObject({ name, code, status, requestId: ID, details: [] });
  expect(requests.length).toBe(1);
});

it('the error for stale work says to review it again', async () => {
  replies = [refuse(409, 'STALE_RESOURCE_VERSION')];
  await expect(payroll.rejectMilestone(reviewed, 'Too short', { operation: newOperation() })).rejects.toThrow(
    'What is decided then is a new operation',
  );
});

it('waits for Retry-After', async () => {
  replies = [refuse(429, 'RATE_LIMITED', { 'retry-after': '1' }), ok({ id: ID })];
  const startedAt = performance.now();
  await payroll.getPayment(ID);
  expect(performance.now() - startedAt).toBeGreaterThan(990);
});

it('throws the refusal at once if its wait would exceed the deadline', async () => {
  replies = [refuse(503, 'SERVICE_UNAVAILABLE', { 'retry-after': '30' })];
  await expect(payroll.getBalances({ deadlineMs: 5_000 })).rejects.toThrow(sdk.ServiceUnavailableError);
  expect(requests.length).toBe(1);
});

it('after the last request of a limit, pauses requests of that limit alone', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  started.defer(() => void vi.useRealTimers());
  replies = [
    ok({}, { ratelimit: '"writes";r=0;t=1' }),
    ok({}),
    ok({}),
    ok({}, { ratelimit: '"writes";r=5;t=1, "workspace";r=0;t=1' }),
  ];
  const write = () => payroll.approveMilestone(reviewed, { operation: newOperation() });
  await write();
  const second = write();
  await payroll.getBusiness();
  await vi.advanceTimersByTimeAsync(999);
  expect(requests.map(({ method }) => method)).toEqual(['POST', 'GET']);
  await vi.advanceTimersByTimeAsync(1);
  await second;
  await payroll.getBusiness();
  const third = payroll.getBusiness();
  await vi.advanceTimersByTimeAsync(999);
  expect(requests.length).toBe(4);
  await vi.advanceTimersByTimeAsync(1);
  await third;
});

it('a timed-out write has an unknown result, and the error says what to do', async () => {
  replies = [() => {}];
  const failure = payroll.approveTimesheet(reviewed, { operation: newOperation(), deadlineMs: 100 });
  await expect(failure).rejects.toThrow('whether it was done is unknown. Send it again with the same operation');
  await expect(failure).rejects.toThrow(sdk.NoAnswerError);
});

it('aborts with the reason of its signal, both during an answer and between attempts', async () => {
  const reason = new Error('Enough');
  for (const reply of [() => {}, refuse(503, 'SERVICE_UNAVAILABLE', { 'retry-after': '20' })] satisfies Reply[]) {
    const controller = new AbortController();
    replies = [reply];
    const asked = requests.length;
    const failure = payroll.getBusiness({ signal: controller.signal });
    await expect.poll(() => requests.length).toBe(asked + 1);
    controller.abort(reason);
    await expect(failure).rejects.toBe(reason);
  }
  await expect(payroll.getBusiness({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
});

it.each(['', 'too short', 'with spaces in it, and long', 'x'.repeat(129)])(
  '%j is not an operation',
  async (operation) => {
    await expect(payroll.createContract({ title: 'x' }, { operation })).rejects.toThrow(
      'newOperation() makes one to store',
    );
    expect(requests).toEqual([]);
  },
);

it('reads the key before each attempt, and sends it to the service only', async () => {
  const keys = ['sk_test_old', 'sk_test_new'];
  const elsewhere: Reply = (_, response) => void response.writeHead(307, { location: 'http://127.0.0.1:9/v1' }).end();
  replies = [refuse(503, 'SERVICE_UNAVAILABLE'), ok({}), elsewhere];
  const rotating = new Payroll({ baseUrl, key: () => keys.shift()! });
  await rotating.getBusiness();
  expect(requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer sk_test_old', 'Bearer sk_test_new']);
  await expect(payroll.getBusiness()).rejects.toMatchObject({ code: 'HTTP_307' });
  expect(JSON.stringify(attempts)).not.toContain(KEY);
});

it.each([`${KEY}\n${KEY}`, `${KEY}\r\nx: y`, `${KEY} ${KEY}`, `${KEY}ü`])(
  'a key that a header cannot carry is refused without being in the error: case %#',
  async (key) => {
    const error: unknown = await new Payroll({ baseUrl, key }).getBusiness().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(TypeError);
    expect(inspect(error, { depth: null })).not.toContain(KEY);
    expect(requests).toEqual([]);
  },
);

it('a function that does not return the key ends with the deadline, or with the signal of the call', async () => {
  const key = (): Promise<string> => new Promise(() => undefined);
  const waiting = new Payroll({ baseUrl, key, deadlineMs: 100 });
  await expect(waiting.getBusiness()).rejects.toBeInstanceOf(sdk.NoAnswerError);
  const stopped = new Error('stopped');
  const call = waiting.getBusiness({ signal: abortedAfter(20, stopped), deadlineMs: 10_000 });
  await expect(call).rejects.toBe(stopped);
  expect(requests).toEqual([]);
});

function abortedAfter(ms: number, reason: Error): AbortSignal {
  const stopping = new AbortController();
  setTimeout(() => stopping.abort(reason), ms);
  return stopping.signal;
}

it('an error of onAttempt does not end a call that was answered', async () => {
  replies = [refuse(503, 'SERVICE_UNAVAILABLE'), ok({ id: ID })];
  const onAttempt = (): void => {
    throw new Error('the log is full');
  };
  await expect(new Payroll({ baseUrl, key: KEY, onAttempt }).getBusiness()).resolves.toEqual({ id: ID });
});

it('a key may end with the line break of its file', async () => {
  replies = [ok({})];
  await new Payroll({ baseUrl, key: `${KEY}\n` }).getBusiness();
  expect(requests[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
});

it('requests the following pages with the same filters', async () => {
  replies = [
    ok({ data: [1, 2], hasMore: true, nextCursor: 'a+b' }),
    ok({ data: [3], hasMore: false, nextCursor: null }),
  ];
  const found: unknown[] = [];
  for await (const one of payroll.timesheets({ status: 'submitted', limit: 2 })) found.push(one);
  expect(found).toEqual([1, 2, 3]);
  expect(requests.map(({ url }) => url)).toEqual([
    '/v1/timesheets?status=submitted&limit=2',
    '/v1/timesheets?status=submitted&limit=2&cursor=a%2Bb',
  ]);
});
