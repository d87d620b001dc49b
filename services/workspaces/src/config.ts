import { SERVICES, type ActorKeys, type Deployment } from '@payroll/admission';
import { ConfigError, readSettings, type Settings } from '@payroll/process';
import { serviceSettings, type ServiceConfig } from '@payroll/service';
import type { WebSettings } from './web/web.js';

export interface WorkspacesConfig extends ServiceConfig {
  deployment: Deployment;
  /** Mints the actor tokens of each service. */
  actorKeys: ActorKeys;
  web: WebSettings;
}

/** @throws ConfigError naming each variable that is missing or not valid. */
export function readConfig(env: NodeJS.ProcessEnv): WorkspacesConfig {
  return readSettings(env, (s) => {
    const deployment = s.choice('DEPLOYMENT', ['test', 'live']);
    return {
      ...serviceSettings(s, 4011),
      deployment,
      actorKeys: s.keys('ACTOR_KEYS', SERVICES),
      web: webSettings(s, deployment),
    };
  });
}

function webSettings(s: Settings, deployment: Deployment): WebSettings {
  const authUrl = s.url('AUTH_URL', ['http:', 'https:']);
  // Neither is there where it is wrong: that is said together with everything else that is.
  const isReadable = authUrl !== undefined && deployment !== undefined;
  return {
    listenHost: s.text('AUTH_LISTEN_HOST', '127.0.0.1'),
    listenPort: s.port('AUTH_LISTEN_PORT', 4002),
    origin: isReadable ? publicOrigin(authUrl, deployment) : '',
    restUrl: s.url('REST_URL', ['http:', 'https:']),
    mcpUrl: s.url('MCP_URL', ['http:', 'https:'], '') || null,
    trustedProxies: s.ranges('TRUSTED_PROXIES'),
  };
}

/**
 * Where browsers find the pages. Passwords and cookies travel there, so it is TLS; plain HTTP serves a test deployment
 * whose browser runs on the same machine.
 */
export function publicOrigin(text: string, deployment: Deployment): string {
  const { protocol, hostname, origin, href } = new URL(text);
  if (href !== `${origin}/`) throw new ConfigError('AUTH_URL is not valid: expected an origin without a path');
  const isLoopback = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
  if (protocol === 'https:' || (isLoopback && deployment === 'test')) return origin;
  throw new ConfigError('AUTH_URL is not valid: expected https://, or http:// on loopback where DEPLOYMENT is test');
}
