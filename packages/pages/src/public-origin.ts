import { ConfigError, type Deployment } from '@payroll/runtime';

/** Where browsers find the pages: with TLS, as passwords travel there, but for a test deployment on this machine. */
export function publicOrigin(text: string, deployment: Deployment): string {
  const { protocol, hostname, origin, href } = new URL(text);
  if (href !== `${origin}/`) throw new ConfigError('APP_URL is not valid: expected an origin without a path');
  const isLoopback = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
  if (protocol === 'https:' || (isLoopback && deployment === 'test')) return origin;
  throw new ConfigError('APP_URL is not valid: expected https://, or http:// on loopback where DEPLOYMENT is test');
}
