import type { KeyObject } from 'node:crypto';
import { drainSeconds, LOG_LEVELS, type LogLevel, type Settings } from '@payroll/process';
import { eventRetentionDays } from './retention.js';
import { telemetrySettings, type TelemetryConfig } from '@payroll/telemetry';

/** What every service is given (docs/architecture.md). */
export interface ServiceConfig {
  listenHost: string;
  listenPort: number;
  logLevel: LogLevel;
  databaseUrl: string;
  natsUrl: string;
  /** Verifies the actor tokens made for this service. */
  actorKey: KeyObject;
  /** How long confirmed events are kept. */
  eventRetentionDays: number;
}

/** With what concerns the process rather than the service in it. */
export interface ProcessConfig extends ServiceConfig {
  drainSeconds: number;
  telemetry: TelemetryConfig;
}

export function serviceSettings(s: Settings, defaultPort: number): ProcessConfig {
  return {
    listenHost: s.text('LISTEN_HOST', '127.0.0.1'),
    listenPort: s.port('LISTEN_PORT', defaultPort),
    logLevel: s.choice('LOG_LEVEL', LOG_LEVELS, 'info'),
    drainSeconds: drainSeconds(s),
    telemetry: telemetrySettings(s),
    databaseUrl: s.databaseUrl(),
    natsUrl: s.natsUrl(),
    actorKey: s.key('ACTOR_KEY'),
    eventRetentionDays: eventRetentionDays(s),
  };
}
