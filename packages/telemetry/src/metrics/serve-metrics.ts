import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createPlainServer, StartError } from '@payroll/process';
import type { Registry } from 'prom-client';
import { takeReadings } from './readings.js';
import { connectMetrics } from './registry.js';

/** `GET /metrics` on a port of its own, so that no balancer ever shows it to the public. */
export async function serveMetrics(host: string, port: number): Promise<AsyncDisposable & { port: number }> {
  const registry = connectMetrics();
  const server = createPlainServer((request, response) => void answer(registry, request, response));
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    throw new StartError(`METRICS_LISTEN_PORT: nothing can listen on ${host}:${port} (${code}); choose a free port`);
  }
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

async function answer(registry: Registry, { method, url }: IncomingMessage, response: ServerResponse): Promise<void> {
  if (url !== '/metrics' || (method !== 'GET' && method !== 'HEAD')) {
    response.writeHead(404).end();
    return;
  }
  await takeReadings();
  response.setHeader('content-type', registry.contentType).end(await registry.metrics());
}
