import { natsSettings } from '@payroll/commands';
import type { KeyObject } from 'node:crypto';
import { SERVICE_PORTS, type ServiceName } from '@payroll/kernel';
import {
  processSettings,
  type ProcessConfig as AnyProcessConfig,
  type Settings,
  type Deployment,
} from '@payroll/runtime';
import { databaseSettings, MIN_EVENT_RETENTION_DAYS } from '@payroll/store';

export type PartsConfig = ReturnType<typeof partsSettings>;

/** The settings of every service (docs/settings.md). */
export interface ProcessConfig extends PartsConfig, AnyProcessConfig {
  /** Verify the actor tokens made for this service: one key, or two while it is rotated. */
  actorTokenKeys: readonly KeyObject[];
  eventRetentionDays: number;
  deployment: Deployment;
}

/** Without the settings of the process around it. */
export type ServiceConfig = Omit<ProcessConfig, 'drainSeconds' | 'telemetry'>;

export function partsSettings(s: Settings) {
  return { database: databaseSettings(s), nats: natsSettings(s) };
}

export function serviceSettings(s: Settings, service: ServiceName): ProcessConfig {
  return {
    ...processSettings(s, SERVICE_PORTS[service]),
    ...partsSettings(s),
    actorTokenKeys: s.ownKeys('ACTOR_KEY'),
    // Live by default, so that test features must be turned on.
    deployment: s.choice('DEPLOYMENT', ['test', 'live'], 'live'),
    eventRetentionDays: s.wholeNumber('EVENT_RETENTION_DAYS', { from: MIN_EVENT_RETENTION_DAYS, to: 3_650 }, 30),
  };
}
