import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** Where the processes of one machine send their traces: `OTEL_EXPORTER_OTLP_ENDPOINT`. */
export interface Collector extends AsyncDisposable {
  readonly endpoint: string;
}

/** Takes traces as OTLP over HTTP in JSON, on loopback, and hands on each message as it came. */
export async function startCollector(keep: (message: string) => void): Promise<Collector> {
  const server = createServer((request, response) => {
    take(request, keep).then(
      () => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'),
      () => response.writeHead(400).end(),
    );
  });
  // What listens to others keeps nobody running.
  server.unref();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

async function take(request: IncomingMessage, keep: (message: string) => void): Promise<void> {
  const message = await text(request);
  if (request.method !== 'POST' || request.url !== '/v1/traces') throw new Error('traces are posted to /v1/traces');
  keep(message);
}
