import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { DomainError, unavailable } from '@payroll/kernel';
import { expect, it, vi } from 'vitest';
import { toDomainError, type ErrorResponse, createEdge, hostAllowList } from './edge.js';
import { createLog } from '../log.js';
import { startMetrics } from '../telemetry/scrape.js';

const isOwn = hostAllowList(['https://api.example.com/v1', '/v1'], ['balancer']);

it.each([
  undefined,
  'api.example.com',
  'API.Example.com:443',
  'balancer:4000',
  'localhost:4000',
  '127.0.0.1:4000',
  '[::1]:4000',
  '10.213.77.130',
])('%s is one of our hosts', (host) => {
  expect(isOwn({ url: '/', headers: { host } })).toBe(true);
});

it.each([
  'evil.example',
  'api.example.com.evil.example',
  'example.com',
  'localhost.evil.example:4000',
  '127.0.0.1.evil.example',
  'evil.example@localhost',
  'localhost/evil.example',
  'localhost, evil.example',
  '[::1',
  '',
])('%s is not one of our hosts', (host) => {
  expect(isOwn({ url: '/', headers: { host } })).toBe(false);
  expect(isOwn({ url: '/readyz', headers: { host } })).toBe(true);
});

const fastifyError = (code: string, statusCode: number) => Object.assign(new Error('x'), { code, statusCode });

it('returns 400 or 413 for errors of Fastify; ignores a status on any other error', () => {
  expect(toDomainError(fastifyError('FST_ERR_CTP_BODY_TOO_LARGE', 413)).code).toBe('PAYLOAD_TOO_LARGE');
  expect(toDomainError(fastifyError('FST_ERR_CTP_INVALID_MEDIA_TYPE', 415)).code).toBe('INVALID_REQUEST');
  expect(toDomainError(fastifyError('FST_ERR_SEND_INSIDE_ONERR', 500)).code).toBe('INTERNAL_ERROR');
  expect(toDomainError(fastifyError('SOME_LIBRARY', 404)).code).toBe('INTERNAL_ERROR');
  expect(toDomainError('thrown text').code).toBe('INTERNAL_ERROR');
});

it('hides the message of a service’s internal error from the client', () => {
  expect(toDomainError(new DomainError('INTERNAL_ERROR', 'the table is gone')).message).not.toContain('table');
});

it('logs the code of a refusal, and not its message, which may repeat what was sent', async () => {
  const log = createLog('edge', 'info');
  const info = vi.spyOn(log, 'info').mockReturnValue();
  await using app = createEdge({
    log,
    waitingFor: () => Promise.resolve([]),
    refusal: (error) => ({ status: 422, type: 'text/plain', body: error.message }),
    traceNameOf: () => null,
  });
  app.get('/refused', () => {
    throw new DomainError('INVALID_REQUEST', 'secret is no colour');
  });
  app.get('/served', () => 'served');
  for (const url of ['/refused', '/served']) await app.inject(url);
  expect(info.mock.calls.map(([line]) => line)).toEqual([
    expect.objectContaining({ status: 422, code: 'INVALID_REQUEST' }),
    expect.not.objectContaining({ code: expect.anything() as unknown }),
  ]);
  expect(JSON.stringify(info.mock.calls)).not.toContain('secret');
});

it('logs and measures how long an answer takes', async () => {
  const { read } = await startMetrics();
  const log = createLog('edge', 'info');
  const info = vi.spyOn(log, 'info').mockReturnValue();
  await using app = createEdge({
    ...{ log, waitingFor: () => Promise.resolve([]), traceNameOf: () => null },
    refusal: () => ({ status: 500, type: 'text/plain', body: '' }),
  });
  app.get('/slow', async () => {
    await sleep(120);
    return 'served';
  });
  await app.inject('/slow');
  const [[line]] = info.mock.calls as unknown as [[{ tookMs: number }]];
  expect(line.tookMs).toBeGreaterThan(100);
  const [, sum] = /payroll_request_duration_seconds_sum\{operation="GET \/slow",outcome="ok"\} (\S+)/.exec(
    await read(),
  )!;
  expect(Number(sum)).toBeGreaterThan(0.1);
});

it('a caller who leaves before the body has arrived is not logged as a failure', async () => {
  const log = createLog('edge', 'info');
  const error = vi.spyOn(log, 'error').mockReturnValue();
  vi.spyOn(log, 'info').mockReturnValue();
  const refused: string[] = [];
  await using app = createEdge({
    log,
    waitingFor: () => Promise.resolve([]),
    refusal: ({ code }) => {
      refused.push(code);
      return { status: code === 'INTERNAL_ERROR' ? 500 : 400, type: 'text/plain', body: code };
    },
    traceNameOf: () => null,
  });
  app.post('/', () => 'read');
  await app.listen({ host: '127.0.0.1', port: 0 });
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  socket.write(
    'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"a":',
  );
  await once(app.server, 'request');
  socket.destroy();
  await expect.poll(() => new Set(refused)).toEqual(new Set(['INVALID_REQUEST']));
  expect(error).not.toHaveBeenCalled();
});

it('a caller who leaves before the answer is logged and measured as abandoned, and not as our failure', async () => {
  const { read } = await startMetrics();
  const log = createLog('edge', 'info');
  const error = vi.spyOn(log, 'error').mockReturnValue();
  const info = vi.spyOn(log, 'info').mockReturnValue();
  const counted: string[] = [];
  const refused = vi.fn<() => ErrorResponse>(() => ({ status: 503, type: 'text/plain', body: '' }));
  const left = Promise.withResolvers<void>();
  await using app = createEdge({
    ...{ log, waitingFor: () => Promise.resolve([]), refusal: refused, traceNameOf: () => null },
    refused: ({ code }) => void counted.push(code),
  });
  app.get('/left', async (_request, reply) => {
    reply.raw.once('close', left.resolve);
    await left.promise;
    throw unavailable('Whoever asked');
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  socket.write('GET /left HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await once(app.server, 'request');
  socket.destroy();
  await expect.poll(() => refused.mock.calls).toHaveLength(1);
  expect(info.mock.calls).toEqual([[expect.objectContaining({ route: '/left', status: undefined }), 'abandoned']]);
  expect(error).not.toHaveBeenCalled();
  expect(counted).toEqual([]);
  expect(await read()).toContain('payroll_request_duration_seconds_count{operation="GET /left",outcome="abandoned"} 1');
});
