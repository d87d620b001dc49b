import { expect, test } from 'vitest';
import { rateLimitHeaders } from './v1.js';

const own = { name: 'writes', quota: 60, remaining: 59, resetSeconds: 42 } as const;
const shared = { name: 'workspace', quota: 2000, remaining: 1000, resetSeconds: 42 } as const;

test("shows the caller's own limit, and the workspace's if it will be reached first", () => {
  expect(rateLimitHeaders([shared, own])).toEqual({
    'RateLimit-Policy': '"writes";q=60;w=60, "workspace";q=2000;w=60',
    RateLimit: '"writes";r=59;t=42',
  });
  expect(rateLimitHeaders([own, { ...shared, remaining: 3 }])['RateLimit']).toBe(
    '"writes";r=59;t=42, "workspace";r=3;t=42',
  );
});

test('shows no limits to an unknown caller', () => {
  expect(rateLimitHeaders([])).toEqual({});
});

test('shows the limit of failures to a caller who has failed too often', () => {
  expect(rateLimitHeaders([{ name: 'failures', quota: 30, remaining: 0, resetSeconds: 17 }])).toEqual({
    'RateLimit-Policy': '"failures";q=30;w=60',
    RateLimit: '"failures";r=0;t=17',
  });
});
