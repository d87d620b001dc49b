import { natsSettings, type NatsSettings } from '@payroll/bus';
import { drainSeconds, LOG_LEVELS, readSettings, type LogLevel } from '@payroll/process';
import { telemetrySettings, type TelemetryConfig } from '@payroll/telemetry';

export interface McpConfig {
  listenHost: string;
  listenPort: number;
  logLevel: LogLevel;
  drainSeconds: number;
  telemetry: TelemetryConfig;
  nats: NatsSettings;
  /** The facade's `…/v1`. */
  restUrl: string;
  /** The authorization server that hosts are sent to. */
  authUrl: string;
  /** Where hosts reach this server: the address that access tokens are made for. */
  publicUrl: string;
  /** Sign the reviews that hosts hand back; the first signs, all are accepted, so that keys can be changed. */
  confirmationKeys: readonly Buffer[];
  /** Whose `X-Forwarded-For` is believed. */
  trustedProxies: readonly string[];
  /** Web origins, beside our own, whose pages may call: host names without port. */
  allowedOrigins: readonly string[];
}

/** @throws ConfigError naming each variable that is missing or not valid. */
export function readConfig(env: NodeJS.ProcessEnv): McpConfig {
  return readSettings(env, (s) => ({
    listenHost: s.text('LISTEN_HOST', '127.0.0.1'),
    listenPort: s.port('LISTEN_PORT', 4003),
    logLevel: s.choice('LOG_LEVEL', LOG_LEVELS, 'info'),
    drainSeconds: drainSeconds(s),
    telemetry: telemetrySettings(s),
    nats: natsSettings(s),
    restUrl: s.url('REST_URL', ['http:', 'https:']),
    authUrl: s.url('AUTH_URL', ['http:', 'https:']),
    publicUrl: s.url('MCP_URL', ['http:', 'https:']),
    confirmationKeys: s.keyRing('CONFIRMATION_KEYS'),
    trustedProxies: s.ranges('TRUSTED_PROXIES'),
    allowedOrigins: s.list('ALLOWED_ORIGINS'),
  }));
}
