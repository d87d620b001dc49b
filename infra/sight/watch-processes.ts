import { findPort, type PortChoice } from '../local/ports.js';
import { type Environment } from '../local/process-group.js';
import { processes, type ProcessName } from '../local/processes.js';
import { startCollector } from './collector.js';

/** The first of the ports on which local processes tell of themselves; the others follow. */
const FIRST_METRICS_PORT = 9464;
/** Soon enough for somebody who waits for a trace, and many steps in a message all the same. */
const EXPORT_EVERY_MS = '500';

/** What makes the processes of one machine tell of themselves, and where they do. */
export interface Watch extends AsyncDisposable {
  /** For each process, when it is started. */
  readonly env: Readonly<Record<ProcessName, Environment>>;
  readonly metricsPorts: Readonly<Record<ProcessName, number>>;
}

/** To be started before the processes. `keep` is given their traces as they come: OTLP messages in JSON. */
export async function watchProcesses(ports: PortChoice, keep: (message: string) => void): Promise<Watch> {
  const collector = await startCollector(keep);
  const found = await Promise.all(
    processes.map(async ({ name }, n) => [name, await findPort(FIRST_METRICS_PORT + n, ports)] as const),
  );
  const envOf = (port: number): Environment => ({
    METRICS_LISTEN_PORT: String(port),
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
    OTEL_BSP_SCHEDULE_DELAY: EXPORT_EVERY_MS,
  });
  return {
    env: Object.fromEntries(found.map(([name, port]) => [name, envOf(port)])) as Watch['env'],
    metricsPorts: Object.fromEntries(found) as Watch['metricsPorts'],
    [Symbol.asyncDispose]: () => collector[Symbol.asyncDispose](),
  };
}
