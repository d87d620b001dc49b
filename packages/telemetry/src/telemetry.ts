import type { Settings } from '@payroll/process';

export interface TelemetryConfig {
  metricsHost: string;
  /** Null: nobody scrapes, and nothing is counted. */
  metricsPort: number | null;
}

export function telemetrySettings(s: Settings): TelemetryConfig {
  return {
    metricsHost: s.text('METRICS_LISTEN_HOST', '127.0.0.1'),
    metricsPort: s.text('METRICS_LISTEN_PORT', '') === '' ? null : s.port('METRICS_LISTEN_PORT'),
  };
}

/**
 * What lets others look into this process. First thing of a process, so that every part finds its metrics connected, and
 * disposed of last. What is not asked for is not even loaded.
 */
export async function startTelemetry({ metricsHost, metricsPort }: TelemetryConfig): Promise<AsyncDisposable> {
  await using starting = new AsyncDisposableStack();
  if (metricsPort !== null) {
    const { serveMetrics } = await import('./metrics/serve-metrics.js');
    starting.use(await serveMetrics(metricsHost, metricsPort));
  }
  return starting.move();
}
