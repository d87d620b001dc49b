import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const script = fileURLToPath(new URL('health.sh', import.meta.url));

async function check(port: number): Promise<{ code: number; stdout: string }> {
  const env = { PATH: process.env['PATH'], LISTEN_PORT: String(port) };
  try {
    return { code: 0, stdout: (await promisify(execFile)('bash', [script], { env })).stdout };
  } catch (error) {
    return error as { code: number; stdout: string };
  }
}

async function checkOf(answer: RequestListener): ReturnType<typeof check> {
  await using server = createServer(answer);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return await check((server.address() as AddressInfo).port);
}

it('a process that is ready is healthy, and nothing is printed', async () => {
  const paths: unknown[] = [];
  const ready = await checkOf((request, response) => {
    paths.push(request.url);
    response.end('ready\n');
  });
  expect(ready).toEqual({ code: 0, stdout: '' });
  expect(paths).toEqual(['/readyz']);
});

it('of a process that is not ready it prints what it waits for', async () => {
  const answer = await checkOf((_, response) => response.writeHead(503).end('waits for NATS\n'));
  expect(answer).toMatchObject({ code: 1, stdout: 'waits for NATS\n' });
});

it('a port on which no process listens is unhealthy', async () => {
  expect(await check(1)).toMatchObject({ code: 1, stdout: '' });
});
