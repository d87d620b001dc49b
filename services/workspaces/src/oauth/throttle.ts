import type { EntityManager } from '@mikro-orm/postgresql';
import { prepared } from '@payroll/store';
import type { Provider } from 'oidc-provider';
import { networkOf, countInto } from '../admission/rate-counters.js';
import { ROUTES } from './settings.js';

/**
 * Strangers cost us rows, fetches and look-ups: so many a minute for each address. `authorize` are people's browsers, and
 * `token` failures of clients alone.
 */
const PER_MINUTE = { register: 20, metadata: 30, authorize: 120, token: 120 } as const;

const count = prepared<{ used: number; reset: number }>(
  'count-stranger',
  `with demand as (select $1::text as subject, 1 as wanted) ${countInto('demand')}`,
);

/** Counts one more of these from an address; says in how many seconds the next one may come, or null if this one may. */
export async function countStranger(
  em: EntityManager,
  kind: keyof typeof PER_MINUTE,
  clientAddress: string,
): Promise<number | null> {
  const [counter] = await count(em, `${kind}/${networkOf(clientAddress)}`);
  const { used, reset } = counter!;
  return used > PER_MINUTE[kind] ? Math.max(1, reset) : null;
}

/** The body of a 429 for programs, as OAuth's errors are. */
export function tooManyRequests(waitSeconds: number): { error: string; error_description: string } {
  return { error: 'too_many_requests', error_description: `Try again in ${waitSeconds} s.` };
}

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
