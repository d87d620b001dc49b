import type { TracingConfig } from '../telemetry/collector.js';
import type { Settings } from './env.js';
import { LOG_LEVELS } from '../log.js';

/** What every process is given (docs/settings.md). */
export type ProcessConfig = ReturnType<typeof processSettings>;

/** What every edge is given. */
export type EdgeConfig = ReturnType<typeof edgeSettings>;

export function processSettings(s: Settings, defaultPort: number) {
  const cell = s.cell();
  return {
    cell,
    listenHost: s.text('LISTEN_HOST', '127.0.0.1'),
    listenPort: s.port('LISTEN_PORT', defaultPort),
    logLevel: s.choice('LOG_LEVEL', LOG_LEVELS, 'info'),
    /** How long the process keeps serving after it was asked to stop; long enough for every balancer to notice. */
    drainSeconds: s.wholeNumber('DRAIN_SECONDS', { from: 0, to: 600 }, 0),
    telemetry: {
      cell,
      metricsHost: s.text('METRICS_LISTEN_HOST', '127.0.0.1'),
      /** Null: metrics are off. */
      metricsPort: s.text('METRICS_LISTEN_PORT', '') === '' ? null : s.port('METRICS_LISTEN_PORT'),
      /** Null: tracing is off. */
      tracing: s.text('OTEL_EXPORTER_OTLP_ENDPOINT', '') === '' ? null : tracingSettings(s),
    },
  };
}

export function edgeSettings(s: Settings, defaultPort: number) {
  return {
    ...processSettings(s, defaultPort),
    /** Proxies whose `X-Forwarded-For` is believed. Without any, a caller's address is the one that connects. */
    trustedProxies: s.ranges('TRUSTED_PROXIES'),
    /** Names, beside those of its public address and this machine's own, by which it is called (`Host`). */
    allowedHosts: s.hostNames('ALLOWED_HOSTS'),
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
