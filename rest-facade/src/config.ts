import { subgraphSettings, type SubgraphUrls } from '@payroll/gateway';
import { databaseSettings, type DatabaseSettings } from '@payroll/store';
import { natsSettings, type NatsSettings } from '@payroll/bus';
import type { Deployment } from '@payroll/admission';
import { drainSeconds, LOG_LEVELS, readSettings, type LogLevel } from '@payroll/process';
import { telemetrySettings, type TelemetryConfig } from '@payroll/telemetry';

export interface FacadeConfig {
  listenHost: string;
  listenPort: number;
  logLevel: LogLevel;
  drainSeconds: number;
  telemetry: TelemetryConfig;
  /** Which API keys are accepted. */
  deployment: Deployment;
  database: DatabaseSettings;
  nats: NatsSettings;
  subgraphs: SubgraphUrls;
  /** Proxies whose `X-Forwarded-For` is believed. Without any, a caller's address is the one that connects. */
  trustedProxies: string[];
  /** Names, beside those of its public address and this machine's own, by which it is called (`Host`). */
  allowedHosts: readonly string[];
  /** Where integrators reach `/v1`, as the OpenAPI document says it. */
  publicUrl: string;
}

/** @throws ConfigError naming each variable that is missing or not valid. */
export function readConfig(env: NodeJS.ProcessEnv): FacadeConfig {
  return readSettings(env, (s) => ({
    listenHost: s.text('LISTEN_HOST', '127.0.0.1'),
    listenPort: s.port('LISTEN_PORT', 4000),
    logLevel: s.choice('LOG_LEVEL', LOG_LEVELS, 'info'),
    drainSeconds: drainSeconds(s),
    telemetry: telemetrySettings(s),
    deployment: s.choice('DEPLOYMENT', ['test', 'live']),
    database: databaseSettings(s),
    nats: natsSettings(s),
    subgraphs: subgraphSettings(s),
    trustedProxies: s.ranges('TRUSTED_PROXIES'),
    allowedHosts: s.list('ALLOWED_HOSTS'),
    publicUrl: s.url('PUBLIC_URL', ['http:', 'https:'], '/v1'),
  }));
}
