import type { TracingConfig } from '@payroll/telemetry';
import type { Settings } from './env.js';
import { LOG_LEVELS, type LogLevel } from './log.js';

export interface ListenConfig {
  listenHost: string;
  listenPort: number;
}

export interface TelemetryConfig {
  metricsHost: string;
  /** Null: nobody scrapes, and nothing is counted. */
  metricsPort: number | null;
  /** Null: nobody collects traces, and there are none. */
  tracing: TracingConfig | null;
}

/** What every process is given (docs/architecture.md). */
export interface ProcessConfig extends ListenConfig {
  logLevel: LogLevel;
  /** How long it goes on serving after it was asked to stop; long enough for every balancer to notice. */
  drainSeconds: number;
  telemetry: TelemetryConfig;
}

/** What every edge is given besides. */
export interface EdgeConfig extends ProcessConfig {
  /** Proxies whose `X-Forwarded-For` is believed. Without any, a caller's address is the one that connects. */
  trustedProxies: readonly string[];
  /** Names, beside those of its public address and this machine's own, by which it is called (`Host`). */
  allowedHosts: readonly string[];
}

export function processSettings(s: Settings, defaultPort: number): ProcessConfig {
  return {
    listenHost: s.text('LISTEN_HOST', '127.0.0.1'),
    listenPort: s.port('LISTEN_PORT', defaultPort),
    logLevel: s.choice('LOG_LEVEL', LOG_LEVELS, 'info'),
    drainSeconds: s.wholeNumber('DRAIN_SECONDS', { from: 0, to: 600 }, 0),
    telemetry: {
      metricsHost: s.text('METRICS_LISTEN_HOST', '127.0.0.1'),
      metricsPort: s.text('METRICS_LISTEN_PORT', '') === '' ? null : s.port('METRICS_LISTEN_PORT'),
      tracing: s.text('OTEL_EXPORTER_OTLP_ENDPOINT', '') === '' ? null : tracingSettings(s),
    },
  };
}

export function edgeSettings(s: Settings, defaultPort: number): EdgeConfig {
  return {
    ...processSettings(s, defaultPort),
    trustedProxies: s.ranges('TRUSTED_PROXIES'),
    allowedHosts: s.list('ALLOWED_HOSTS'),
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
