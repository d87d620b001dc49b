import type { RateLimit } from '@payroll/admission';

/**
 * Requests per window of 60 s (public-api.md §8). Failures are counted per address, messages to `/mcp` per
 * connection, pages of the application per person, so that integrations do not use up a person's quota.
 */
export const QUOTAS = { reads: 600, writes: 60, workspace: 2_000, failures: 30, messages: 600, pages: 600 } as const;

/** The position of one request in a counter whose window ends in `resetSeconds`. */
export interface CounterPosition {
  name: RateLimit['name'];
  position: number;
  resetSeconds: number;
}

/** The refusal of a request over a limit; null if all counters allow it. */
export function overLimit(standings: readonly CounterPosition[]) {
  const over = standings.filter(isOver);
  if (over.length === 0) return null;
  const retryAfterSeconds = Math.max(...over.map(({ resetSeconds }) => resetSeconds));
  const message = `Too many requests. Try again in ${retryAfterSeconds} s.`;
  return { code: 'RATE_LIMITED' as const, message, retryAfterSeconds };
}

export function toRateLimit({ name, position, resetSeconds }: CounterPosition): RateLimit {
  return { name, quota: QUOTAS[name], remaining: Math.max(0, QUOTAS[name] - position), resetSeconds };
}

function isOver({ name, position }: CounterPosition): boolean {
  return position > QUOTAS[name];
}
