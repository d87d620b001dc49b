import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { VERSION } from '../deployment.js';
import { inTime } from '../in-time.js';
import { createPlainServer } from '../http/http-server.js';
import { listenError } from '../run-main.js';
import { metrics } from './catalogue.js';

/** Several Prometheus servers cost no more than one. */
const FRESH_MS = 5_000;
/** Well under the 10 s that Prometheus waits: the other metrics must not go missing with this one. */
const WITHIN_MS = 2_000;

interface ScrapeCollector {
  /** For the log of failures: a closed word. */
  name: string;
  /** Reads and sets its gauges. Short: one indexed statement, or a look at what is in memory. */
  read: () => Promise<void> | void;
  /** Its gauges: cleared when it fails. */
  sets: readonly { clear(): void }[];
}

const readings = new Set<ScrapeCollector>();

/** Has gauges read at each scrape, not more often than every 5 s, and never where nobody scrapes. Disposing ends that. */
export function onScrape(reading: ScrapeCollector): Disposable {
  readings.add(reading);
  return { [Symbol.dispose]: () => void readings.delete(reading) };
}

/** Connects every metric and gives what a scrape reads. prom-client is loaded only here. */
export async function startMetrics(): Promise<{ contentType: string; read: () => Promise<string> }> {
  const { connectMetrics } = await import('./registry.js');
  const registry = connectMetrics();
  metrics.build.set({ version: VERSION }, 1);
  let latest: Promise<unknown> | undefined;
  const readAll = (): Promise<unknown> => {
    setTimeout(() => {
      latest = undefined;
    }, FRESH_MS).unref();
    return Promise.all([...readings].map(take));
  };
  return {
    contentType: registry.contentType,
    read: async () => {
      latest ??= readAll();
      await latest;
      return await registry.metrics();
    },
  };
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
    throw listenError('METRICS_LISTEN_PORT', host, port, error);
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

/** Never rejects: a part that cannot be read must not hide the others. */
async function take({ name, read, sets }: ScrapeCollector): Promise<void> {
  try {
    await inTime(WITHIN_MS, read);
  } catch {
    for (const gauge of sets) gauge.clear();
    metrics.readingFailures.add({ reading: name });
  }
}
