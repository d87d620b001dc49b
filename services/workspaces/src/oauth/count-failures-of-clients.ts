import type { EntityManager } from '@mikro-orm/postgresql';
import type { Provider } from 'oidc-provider';
import { ROUTES } from './settings.js';
import { countStranger, tooManyRequests } from './throttle.js';

const COUNTED: readonly string[] = [ROUTES.token, ROUTES.revocation];

/**
 * Codes and tokens that are none are counted for the address they come from. Those that are good never are, and none is
 * refused for others' failures: a hosted assistant has one address for all of its people.
 */
export function countFailuresOfClients(provider: Provider, em: EntityManager): void {
  provider.use(async (ctx, next) => {
    await next();
    if (!COUNTED.includes(ctx.path) || ctx.status < 400 || ctx.status >= 500) return;
    const waitSeconds = await countStranger(em, 'token', ctx.ip);
    if (waitSeconds === null) return;
    ctx.status = 429;
    ctx.set('Retry-After', String(waitSeconds));
    ctx.body = tooManyRequests(waitSeconds);
  });
}
