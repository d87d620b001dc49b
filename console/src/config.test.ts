import { expect, test } from 'vitest';
import { readConfig } from './config.js';

const env = {
  DEPLOYMENT: 'live',
  APP_URL: 'https://people.example',
  ADMISSION_URL: 'http://balancer:4010',
  ADMISSION_SECRET: 'of this edge',
  WORKSPACES_URL: 'http://workspaces/graphql',
  CONTRACTS_URL: 'http://contracts/graphql',
  REVIEW_URL: 'http://review/graphql',
  PAYMENTS_URL: 'http://payments/graphql',
};

test('unset variables have defaults, and no proxy is trusted', () => {
  expect(readConfig(env)).toMatchObject({
    ...{ listenHost: '127.0.0.1', listenPort: 4006, drainSeconds: 0, trustedProxies: [] },
    origin: 'https://people.example',
  });
});

test('reports all missing variables at once', () => {
  expect(() => readConfig({})).toThrow(/DEPLOYMENT.*APP_URL.*ADMISSION_URL.*WORKSPACES_URL.*PAYMENTS_URL/);
});

test('refuses an origin without TLS, because people type secrets into its pages', () => {
  expect(() => readConfig({ ...env, APP_URL: 'http://people.example' })).toThrow('APP_URL');
});
