import type { KeyObject } from 'node:crypto';
import { SERVICE_PORTS, type ServiceName } from '@payroll/kernel';
import { natsSettings, type NatsSettings } from '@payroll/bus';
import { processSettings, type ProcessConfig as AnyProcessConfig, type Settings } from '@payroll/process';
import { databaseSettings, LEAST_EVENT_DAYS, type DatabaseSettings } from '@payroll/store';

/** What a service depends on. */
export interface PartsConfig {
  database: DatabaseSettings;
  nats: NatsSettings;
  /** How many servers of a NATS cluster hold each event of its stream. */
  streamReplicas: number;
}

/** What every service is given (docs/architecture.md). */
export interface ServiceConfig extends PartsConfig, Omit<AnyProcessConfig, 'drainSeconds' | 'telemetry'> {
  /** Verifies the actor tokens made for this service. */
  actorKey: KeyObject;
  /** How long confirmed events are kept. */
  eventRetentionDays: number;
}

/** With the settings of the process around it. */
export type ProcessConfig = ServiceConfig & AnyProcessConfig;

export function partsSettings(s: Settings): PartsConfig {
  return {
    database: databaseSettings(s),
    nats: natsSettings(s),
    streamReplicas: s.wholeNumber('STREAM_REPLICAS', { from: 1, to: 5 }, 1),
  };
}

export function serviceSettings(s: Settings, service: ServiceName): ProcessConfig {
  return {
    ...processSettings(s, SERVICE_PORTS[service]),
    ...partsSettings(s),
    actorKey: s.key('ACTOR_KEY'),
    eventRetentionDays: s.wholeNumber('EVENT_RETENTION_DAYS', { from: LEAST_EVENT_DAYS, to: 3_650 }, 30),
  };
}
