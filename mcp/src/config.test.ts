import { expect, test } from 'vitest';
import { readConfig } from './config.js';

const env = {
  ADMISSION_URL: 'http://balancer:4010',
  ADMISSION_SECRET: 'of this edge',
  REST_URL: 'http://127.0.0.1:4000/v1',
  APP_URL: 'https://people.example',
  MCP_URL: 'https://assistants.example/mcp',
  GUIDE_URL: 'https://api.example/v1/docs/guides/connect-an-assistant',
  CONFIRMATION_KEYS: `${'ab'.repeat(32)},${'cd'.repeat(32)}`,
};

test('by default trusts no proxy and allows no other origin', () => {
  expect(readConfig(env)).toEqual({
    cell: null,
    listenHost: '127.0.0.1',
    listenPort: 4003,
    logLevel: 'info',
    drainSeconds: 0,
    telemetry: { cell: null, metricsHost: '127.0.0.1', metricsPort: null, tracing: null },
    admission: { url: env.ADMISSION_URL, secret: env.ADMISSION_SECRET },
    restUrl: env.REST_URL,
    authUrl: env.APP_URL,
    publicUrl: env.MCP_URL,
    guideUrl: env.GUIDE_URL,
    confirmationKeys: [Buffer.alloc(32, 0xab), Buffer.alloc(32, 0xcd)],
    trustedProxies: [],
    allowedHosts: [],
    allowedOrigins: [],
  });
});

test.each(Object.keys(env))('without %s it does not start, and says so', (name) => {
  expect(() => readConfig({ ...env, [name]: '' })).toThrow(`${name} is missing`);
});
