import { isIP } from 'node:net';
import { HEALTH_PATHS } from './health.js';

/** Whether a request's `Host` names this server. Health is for everybody: whoever checks it has names of its own. */
export type IsOwnHost = (request: { url?: string | undefined; headers: { host?: string | undefined } }) => boolean;

/**
 * A page can make a browser call us under a name of its own that it lets point here (DNS rebinding); then the page, and
 * not we, is what the browser takes us for. So a server answers to the names of its public addresses, to those that it is
 * given besides, and to what cannot be made to point elsewhere: `localhost`, and addresses. Browsers always send `Host`.
 */
export function ownHosts(publicUrls: readonly string[], more: readonly string[] = []): IsOwnHost {
  const names = new Set(['localhost', ...publicUrls.flatMap((url) => URL.parse(url)?.hostname ?? []), ...more]);
  return ({ url = '', headers: { host } }) => {
    if (host === undefined || HEALTH_PATHS.includes(url)) return true;
    const name = /[/?#@\\]/.test(host) ? undefined : URL.parse(`http://${host}`)?.hostname;
    return name !== undefined && (names.has(name) || isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0);
  };
}
