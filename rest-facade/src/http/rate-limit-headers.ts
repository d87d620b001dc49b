import type { RateLimit } from '@payroll/admission';

/** Every limit of public-api.md §8 is per minute. */
const WINDOW_S = 60;

/**
 * The IETF draft's two headers (draft-ietf-httpapi-ratelimit-headers): the policies, and what is left of the caller's
 * own; the workspace's shared ceiling joins when it is the one that will be met first.
 */
export function rateLimitHeaders(limits: readonly RateLimit[]): Record<string, string> {
  const ordered = limits.toSorted((a, b) => Number(a.name === 'workspace') - Number(b.name === 'workspace'));
  const [own, ...shared] = ordered;
  if (!own) return {};
  const telling = [own, ...shared.filter(({ remaining }) => remaining < own.remaining)];
  return {
    'RateLimit-Policy': ordered.map(({ name, quota }) => `"${name}";q=${quota};w=${WINDOW_S}`).join(', '),
    RateLimit: telling
      .map(({ name, remaining, resetSeconds }) => `"${name}";r=${remaining};t=${resetSeconds}`)
      .join(', '),
  };
}
