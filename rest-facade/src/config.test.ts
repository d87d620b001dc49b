import { expect, test } from 'vitest';
import { readConfig } from './config.js';

const env = {
  DEPLOYMENT: 'test',
  DATABASE_URL: 'postgres://rest_facade:p@db/payroll',
  ADMISSION_URL: 'http://balancer:4010',
  ADMISSION_SECRET: 'of this edge',
  WORKSPACES_URL: 'http://workspaces/graphql',
  CONTRACTS_URL: 'http://contracts/graphql',
  REVIEW_URL: 'http://review/graphql',
  PAYMENTS_URL: 'http://payments/graphql',
};

test('unset variables have defaults, and no proxy is trusted', () => {
  expect(readConfig(env)).toMatchObject({
    listenHost: '127.0.0.1',
    listenPort: 4000,
    logLevel: 'info',
    drainSeconds: 0,
    trustedProxies: [],
    publicUrl: '/v1',
  });
});

test('reports all missing variables at once', () => {
  expect(() => readConfig({})).toThrow(/DEPLOYMENT.*DATABASE_URL.*ADMISSION_URL.*WORKSPACES_URL.*PAYMENTS_URL/);
});

test('a deployment is one environment', () => {
  expect(() => readConfig({ ...env, DEPLOYMENT: 'both' })).toThrow('DEPLOYMENT');
});

test('proxies are addresses and ranges', () => {
  const trusted = (TRUSTED_PROXIES: string) => readConfig({ ...env, TRUSTED_PROXIES }).trustedProxies;
  expect(trusted('10.0.0.0/8, 192.0.2.1,2001:db8::/32')).toEqual(['10.0.0.0/8', '192.0.2.1', '2001:db8::/32']);
  for (const wrong of ['proxy', '10.0.0.0/33', '10.0.0.0/8/8', '2001:db8::/129', '10.0.0.1,']) {
    if (wrong.endsWith(',')) expect(trusted(wrong)).toEqual(['10.0.0.1']);
    else expect(() => trusted(wrong)).toThrow('TRUSTED_PROXIES');
  }
});
