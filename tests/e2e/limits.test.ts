import { expect, it } from 'vitest';
import { api, must, newIntegrator, once, refusal } from './integrator.js';
import { whileStopped } from '../support/while-stopped.js';
import { letMinutePass } from './owner.js';
import { stack } from './under-test.js';

it('the 61st write of a minute is refused with a Retry-After, and reads are still admitted', async () => {
  const { v1 } = await newIntegrator();
  // Invalid writes count too: admission runs before the body is read.
  const write = () => v1.POST('/contracts', { params: once(), body: { title: '' } });
  for (let n = 1; n <= 60; n++) expect((await write()).response.status).toBe(422);
  const refused = await write();
  expect(refusal(refused)).toBe('429 RATE_LIMITED');
  const { headers } = refused.response;
  expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(60);
  expect(headers.get('ratelimit')).toMatch(/"writes";r=0;t=\d+/);
  expect((await v1.GET('/business')).response.status).toBe(200);
  await letMinutePass();
  expect((await write()).response.status).toBe(422);
});

it('the 31st failed authentication of a minute is refused, and a valid key is never blocked by it', async () => {
  const { v1 } = await newIntegrator();
  await letMinutePass();
  const stranger = api.client('sk_test_nonsense');
  const answers = [];
  for (let n = 1; n <= 31; n++) answers.push(refusal(await stranger.GET('/business')));
  expect(answers.slice(0, 30)).toEqual(answers.slice(0, 30).map(() => '401 INVALID_CREDENTIAL'));
  expect(answers[30]).toBe('429 RATE_LIMITED');
  expect((await v1.GET('/business')).response.status).toBe(200);
  await letMinutePass();
});

it('balances that cannot be read are 503 within the deadline, never zero; other routes still answer', async () => {
  const { v1 } = await newIntegrator();
  must(await v1.GET('/balances'));
  const startedAt = performance.now();
  const [balances, business] = await whileStopped(
    stack,
    'payments',
    async () => await Promise.all([v1.GET('/balances'), v1.GET('/business')]),
  );
  expect(performance.now() - startedAt).toBeLessThan(11_000);
  expect(refusal(balances)).toBe('503 SERVICE_UNAVAILABLE');
  expect(Number(balances.response.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  expect(business.response.status).toBe(200);
  await expect.poll(async () => (await v1.GET('/balances')).response.status, { timeout: 20_000 }).toBe(200);
});
