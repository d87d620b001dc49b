import { StartError } from './start-error.js';

/**
 * Every secret that is made without being asked for begins with this, a key as well as a password, and can be told by it
 * wherever it is copied to. It leaves a key 208 random bits; a secret made by chance holds it once in 2^48.
 */
export const DEVELOPMENT_MARK = 'de7e10de7e10';

/**
 * Run by every process before anything else.
 * @throws StartError in a live deployment that was given a secret made for development
 */
export function refuseDevelopmentSecrets(env: Readonly<Record<string, string | undefined>>): void {
  if (env['DEPLOYMENT'] !== 'live') return;
  const found = Object.keys(env).filter((name) => env[name]?.includes(DEVELOPMENT_MARK));
  if (found.length === 0) return;
  throw new StartError(
    `DEPLOYMENT is live, but made for development: ${found.join(', ')}; make secrets of your own, see .env.example on SECRETS_DIR`,
  );
}
