import type { EntityManager } from '@mikro-orm/postgresql';
import { read, sql, rawSql } from '@payroll/store';
import type { Provider } from 'oidc-provider';
import { type Counter, countInto, networkOf } from '../admission/rate-counters.js';
import { ROUTES } from './settings.js';

/** Per client address. `authorize` counts people's browsers, `token` only failures of clients. */
const PER_MINUTE = { register: 20, metadata: 30, authorize: 120, token: 120 } as const;

const count = (subject: string) => sql`
  with demand as (select ${subject}::text as subject, 1 as wanted) ${rawSql<Counter>(countInto('demand'))}`;

/** Counts a request; returns the seconds to wait, or null if it is allowed. */
export async function countUnauthenticated(em: EntityManager, kind: keyof typeof PER_MINUTE, clientAddress: string) {
  const [counter] = await read(em, count(`${kind}/${networkOf(clientAddress)}`));
  const { used, reset } = counter!;
  return used > PER_MINUTE[kind] ? reset : null;
}

/** The body of a 429 for programs, in the format of OAuth errors. */
export function tooManyRequests(waitSeconds: number): { error: string; error_description: string } {
  return { error: 'too_many_requests', error_description: `Try again in ${waitSeconds} s.` };
}

const COUNTED: readonly string[] = [ROUTES.token, ROUTES.revocation];

/** Valid codes and tokens are neither counted nor refused: a hosted assistant uses one address for all its people. */
export function countFailuresOfClients(provider: Provider, em: EntityManager): void {
  provider.use(async (ctx, next) => {
    await next();
    if (!COUNTED.includes(ctx.path) || ctx.status < 400 || ctx.status >= 500) return;
    const waitSeconds = await countUnauthenticated(em, 'token', ctx.ip);
    if (waitSeconds === null) return;
    ctx.status = 429;
    ctx.set('Retry-After', String(waitSeconds));
    ctx.body = tooManyRequests(waitSeconds);
  });
}
