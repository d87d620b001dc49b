import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { startMetrics } from './readings.js';
import { startTracing } from './steps.js';
import type { ProcessConfig } from '../settings/config.js';
import { createPlainServer } from '../http/http-server.js';
import { processLabels } from '../deployment.js';
import { StartError } from '../run-main.js';

/**
 * Metrics and traces of this process, which carry its cell as its log lines do. Started first, so that every part finds its
 * metrics connected, and disposed of last. Loads a library only if its setting is on.
 */
export async function startTelemetry(
  process: string,
  { cell, metricsHost, metricsPort, tracing }: ProcessConfig['telemetry'],
): Promise<AsyncDisposable> {
  await using starting = new AsyncDisposableStack();
  if (cell !== null) processLabels.cell = cell;
  if (metricsPort !== null) starting.use(await serveMetrics(metricsHost, metricsPort));
  if (tracing !== null) starting.use(await startTracing(process, tracing));
  return starting.move();
}

/** `GET /metrics` on a port of its own, so that no balancer ever shows it to the public. */
export async function serveMetrics(host: string, port: number): Promise<AsyncDisposable & { port: number }> {
  const { contentType, read } = await startMetrics();
  const server = createPlainServer(({ method, url }, response) => {
    if (url !== '/metrics' || (method !== 'GET' && method !== 'HEAD')) response.writeHead(404).end();
    else void read().then((text) => response.setHeader('content-type', contentType).end(text));
  });
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
