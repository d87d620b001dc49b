import type { KeyObject } from 'node:crypto';
import { drainSeconds, LOG_LEVELS, type LogLevel, type Settings } from '@payroll/process';
import { telemetrySettings, type TelemetryConfig } from '@payroll/telemetry';

/** What every service is given (docs/architecture.md). */
export interface ServiceConfig {
  listenHost: string;
  listenPort: number;
  logLevel: LogLevel;
  drainSeconds: number;
  databaseUrl: string;
  natsUrl: string;
  /** Verifies the actor tokens made for this service. */
  actorKey: KeyObject;
}

/** With what concerns the process rather than the service in it. */
export interface ProcessConfig extends ServiceConfig {
  telemetry: TelemetryConfig;
}

export function serviceSettings(s: Settings, defaultPort: number): ProcessConfig {
  return {
    listenHost: s.text('LISTEN_HOST', '127.0.0.1'),
    listenPort: s.port('LISTEN_PORT', defaultPort),
    logLevel: s.choice('LOG_LEVEL', LOG_LEVELS, 'info'),
    drainSeconds: drainSeconds(s),
    telemetry: telemetrySettings(s),
    databaseUrl: s.url('DATABASE_URL', ['postgres:', 'postgresql:']),
    natsUrl: s.url('NATS_URL', ['nats:', 'tls:']),
    actorKey: s.key('ACTOR_KEY'),
  };
}
