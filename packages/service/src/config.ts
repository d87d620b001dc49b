import type { KeyObject } from 'node:crypto';
import { SERVICE_PORTS, type ServiceName } from '@payroll/kernel';
import { natsSettings, type NatsSettings } from '@payroll/bus';
import { drainSeconds, LOG_LEVELS, type LogLevel, type Settings } from '@payroll/process';
import { eventRetentionDays } from './retention.js';
import { databaseSettings, type DatabaseSettings } from '@payroll/store';
import { telemetrySettings, type TelemetryConfig } from '@payroll/telemetry';

/** What a service stands on. */
export interface PartsConfig {
  database: DatabaseSettings;
  nats: NatsSettings;
  /** Of the stream that it makes: as many servers of a NATS cluster hold each event. */
  streamReplicas: number;
}

/** What every service is given (docs/architecture.md). */
export interface ServiceConfig extends PartsConfig {
  listenHost: string;
  listenPort: number;
  logLevel: LogLevel;
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

export function partsSettings(s: Settings): PartsConfig {
  return {
    database: databaseSettings(s),
    nats: natsSettings(s),
    streamReplicas: s.wholeNumber('STREAM_REPLICAS', { from: 1, to: 5 }, 1),
  };
}

export function serviceSettings(s: Settings, service: ServiceName): ProcessConfig {
  return {
    listenHost: s.text('LISTEN_HOST', '127.0.0.1'),
    listenPort: s.port('LISTEN_PORT', SERVICE_PORTS[service]),
    logLevel: s.choice('LOG_LEVEL', LOG_LEVELS, 'info'),
    drainSeconds: drainSeconds(s),
    telemetry: telemetrySettings(s),
    ...partsSettings(s),
    actorKey: s.key('ACTOR_KEY'),
    eventRetentionDays: eventRetentionDays(s),
  };
}
