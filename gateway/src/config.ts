import { natsSettings, type NatsSettings } from '@payroll/bus';
import { byName, SERVICES, type ServiceName } from '@payroll/kernel';
import { drainSeconds, LOG_LEVELS, readSettings, type LogLevel, type Settings } from '@payroll/process';
import { telemetrySettings, type TelemetryConfig } from '@payroll/telemetry';

/** Where each service's `…/graphql` is. */
export type SubgraphUrls = Readonly<Record<ServiceName, string>>;

export interface GatewayConfig {
  listenHost: string;
  listenPort: number;
  logLevel: LogLevel;
  drainSeconds: number;
  telemetry: TelemetryConfig;
  nats: NatsSettings;
  /** Proxies whose `X-Forwarded-For` is believed: the address that failed authentications are counted for. */
  trustedProxies: string[];
  /** Names, beside this machine's own, by which it is called (`Host`). */
  allowedHosts: readonly string[];
  /** The `stack.json` of `npm start`, whose token the explorer is opened with; null elsewhere. */
  explorerStack: string | null;
  subgraphs: SubgraphUrls;
}

/** @throws ConfigError naming each variable that is missing or not valid. */
export function readConfig(env: NodeJS.ProcessEnv): GatewayConfig {
  return readSettings(env, (s) => ({
    listenHost: s.text('LISTEN_HOST', '127.0.0.1'),
    listenPort: s.port('LISTEN_PORT', 4001),
    logLevel: s.choice('LOG_LEVEL', LOG_LEVELS, 'info'),
    drainSeconds: drainSeconds(s),
    telemetry: telemetrySettings(s),
    nats: natsSettings(s),
    trustedProxies: s.ranges('TRUSTED_PROXIES'),
    allowedHosts: s.list('ALLOWED_HOSTS'),
    explorerStack: explorerStack(s),
    subgraphs: subgraphSettings(s),
  }));
}

/** `REVIEW_URL` and its like, one for each service. */
export function subgraphSettings(s: Settings): SubgraphUrls {
  return byName(SERVICES, (name) => s.url(`${name.toUpperCase()}_URL`, ['http:', 'https:']));
}

/** A page that comes with a token is for a machine of one's own: a live process does not start with it. */
function explorerStack(s: Settings): string | null {
  const file = s.text('EXPLORER_STACK', '');
  if (file === '') return null;
  s.choice('DEPLOYMENT', ['test']);
  return file;
}
