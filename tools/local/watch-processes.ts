import { once } from 'node:events';
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { recordOf } from '@payroll/kernel';
import { findPort, type PortChoice } from './ports.js';
import type { Environment } from './process-group.js';
import { processes, processNames, type ProcessName } from '@payroll/infra/processes';

/** Relative to the repository's root. */
export const TRACES_FILE = '.local/traces.jsonl';

/** The file in which a Prometheus on this machine finds all processes (`infra/monitoring/prometheus/local.yml`). */
const TARGETS_FILE = '.local/metrics-targets.json';

/** For `MONITORING=1 npm start`: every process exports metrics and traces, and this run's traces are kept. */
export async function startMonitoring(root: string) {
  const [traces, targets] = [join(root, TRACES_FILE), join(root, TARGETS_FILE)];
  mkdirSync(dirname(traces), { recursive: true, mode: 0o711 });
  // Contains ids of workspaces and operations: readable by the owner only.
  writeFileSync(traces, '', { mode: 0o600 });
  const watch = await watchProcesses('default', (message) => appendFileSync(traces, `${message}\n`));
  const ports = Object.entries(watch.metricsPorts);
  const found = ports.map(([job, port]) => ({ targets: [`127.0.0.1:${port}`], labels: { job } }));
  writeFileSync(targets, JSON.stringify(found, null, 2));
  const metrics = ports.map(([name, port]) => `  ${name.padEnd(12)} http://127.0.0.1:${port}/metrics`);
  const lines = ['Metrics', ...metrics, '', 'Traces', '  npm run trace -- <the X-Request-Id of an answer>', ''];
  return { ...watch, greeting: lines.join('\n') };
}

/** The first process's metrics port; the others follow. */
const FIRST_METRICS_PORT = 9464;
/** Short, because tests wait for a trace, and still many spans per message. */
const EXPORT_EVERY_MS = '500';

export type Watch = Awaited<ReturnType<typeof watchProcesses>>;

/** Call before the processes start, with `env` for each. `keep` receives their traces: OTLP messages in JSON. */
export async function watchProcesses(ports: PortChoice, keep: (message: string) => void) {
  const collector = await startCollector(keep);
  const found = await Promise.all(
    processes.map(async ({ name }, n) => [name, await findPort(FIRST_METRICS_PORT + n, ports)] as const),
  );
  const metricsPorts = Object.fromEntries(found) as Record<ProcessName, number>;
  const envOf = (port: number): Environment => ({
    METRICS_LISTEN_PORT: String(port),
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
    OTEL_BSP_SCHEDULE_DELAY: EXPORT_EVERY_MS,
  });
  return {
    env: recordOf(processNames, (name) => envOf(metricsPorts[name])),
    metricsPorts,
    [Symbol.asyncDispose]: collector[Symbol.asyncDispose],
  };
}

/** Receives traces as OTLP over HTTP in JSON, on loopback, and passes each message on unchanged. */
async function startCollector(keep: (message: string) => void) {
  const server = createServer((request, response) => {
    take(request, keep).then(
      () => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'),
      () => response.writeHead(400).end(),
    );
  });
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
