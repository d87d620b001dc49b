import type { Settings } from '@payroll/process';
import type { TracingConfig } from './tracing/start-tracing.js';

export interface TelemetryConfig {
  metricsHost: string;
  /** Null: nobody scrapes, and nothing is counted. */
  metricsPort: number | null;
  /** Null: nobody collects traces, and there are none. */
  tracing: TracingConfig | null;
}

export function telemetrySettings(s: Settings): TelemetryConfig {
  return {
    metricsHost: s.text('METRICS_LISTEN_HOST', '127.0.0.1'),
    metricsPort: s.text('METRICS_LISTEN_PORT', '') === '' ? null : s.port('METRICS_LISTEN_PORT'),
    tracing: s.text('OTEL_EXPORTER_OTLP_ENDPOINT', '') === '' ? null : tracingSettings(s),
  };
}

/** The names are OpenTelemetry's own; its exporter reads the endpoint and what else it understands by itself. */
function tracingSettings(s: Settings): TracingConfig {
  s.url('OTEL_EXPORTER_OTLP_ENDPOINT', ['http:', 'https:']);
  return {
    ratio: s.share('OTEL_TRACES_SAMPLER_ARG', 1),
    exportEveryMs: s.wholeNumber('OTEL_BSP_SCHEDULE_DELAY', { from: 10, to: 60_000 }, 5_000),
  };
}

/**
 * What lets others look into this process. First thing of a process, so that every part finds its metrics connected, and
 * disposed of last. What is not asked for is not even loaded.
 */
export async function startTelemetry(
  process: string,
  { metricsHost, metricsPort, tracing }: TelemetryConfig,
): Promise<AsyncDisposable> {
  await using starting = new AsyncDisposableStack();
  if (metricsPort !== null) {
    const { serveMetrics } = await import('./metrics/serve-metrics.js');
    starting.use(await serveMetrics(metricsHost, metricsPort));
  }
  if (tracing !== null) {
    const { startTracing } = await import('./tracing/start-tracing.js');
    starting.use(startTracing(process, tracing));
  }
  return starting.move();
}
