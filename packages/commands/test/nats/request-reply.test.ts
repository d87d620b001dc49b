import { Bus, whyNoReply, type RequestHandler } from '@payroll/commands';
import { startTestNats } from '@payroll/tools/local/test-server';
import { createLog } from '@payroll/runtime';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';

const nats = await startTestNats();
beforeEach(() => nats.process.start());
afterAll(() => nats[Symbol.asyncDispose]());

async function connected(user: 'contracts' | 'payments'): Promise<Bus> {
  const bus = new Bus({ url: nats.urls[user], name: user, log: createLog(user, 'silent') });
  await expect.poll(() => bus.connected).toBe(true);
  return bus;
}

/** Registers a handler, and waits until the server knows it: otherwise the two connections race. */
async function answering(contracts: Bus, payments: Bus, handler: RequestHandler): Promise<void> {
  contracts.answer('ask.contracts.worker', 'contracts', (body) =>
    body === 'hello' ? Promise.resolve(body) : handler(body),
  );
  await expect.poll(() => payments.request('ask.contracts.worker', 'hello', 1_000).catch(() => null)).toBe('hello');
}

const notNow: unknown = expect.objectContaining({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 1 });

describe('request', () => {
  it('returns the handler’s answer', async () => {
    await using contracts = await connected('contracts');
    await using payments = await connected('payments');
    await answering(contracts, payments, (body) => Promise.resolve({ asked: body }));
    expect(await payments.request('ask.contracts.worker', [1, 2], 1_000)).toEqual({ asked: [1, 2] });
  });

  it('throws SERVICE_UNAVAILABLE soon without a subscriber', async () => {
    await using payments = await connected('payments');
    const before = performance.now();
    const error: unknown = await payments
      .request('ask.contracts.worker', [], 10_000)
      .catch((thrown: unknown) => thrown);
    expect(performance.now() - before).toBeLessThan(2_000);
    expect([error, whyNoReply(error)]).toEqual([notNow, 'no_responders']);
  });

  it('repeats a request within its time-out, not after it', async () => {
    await using payments = await connected('payments');
    const sent = vi.spyOn(payments, 'requestOnce');
    for (const timeoutMs of [10_000, 30]) {
      sent.mockClear();
      await expect(payments.request('ask.contracts.worker', [], timeoutMs)).rejects.toEqual(notNow);
      const left = sent.mock.calls.map(([, , ms]) => ms);
      expect(left.length).toBeGreaterThan(0);
      for (const [index, ms] of left.entries()) {
        expect(ms).toBeGreaterThan(0);
        expect(ms).toBeLessThanOrEqual(index === 0 ? timeoutMs : left[index - 1]! - 20);
      }
    }
  });

  it('throws SERVICE_UNAVAILABLE when the answer takes too long', async () => {
    await using contracts = await connected('contracts');
    await using payments = await connected('payments');
    const late = Promise.withResolvers<string>();
    await answering(contracts, payments, () => late.promise);
    const error: unknown = await payments.request('ask.contracts.worker', [], 100).catch((thrown: unknown) => thrown);
    expect([error, whyNoReply(error)]).toEqual([notNow, 'timeout']);
    late.resolve('too late');
  });

  it('throws SERVICE_UNAVAILABLE soon while NATS is down', async () => {
    await using payments = await connected('payments');
    await nats.process.stop();
    await expect.poll(() => payments.connected).toBe(false);
    const before = performance.now();
    const error: unknown = await payments
      .request('ask.contracts.worker', [], 10_000)
      .catch((thrown: unknown) => thrown);
    expect(performance.now() - before).toBeLessThan(2_000);
    expect([error, whyNoReply(error)]).toEqual([notNow, 'disconnected']);
  });

  it("never contains the handler's error", async () => {
    await using contracts = await connected('contracts');
    await using payments = await connected('payments');
    await answering(contracts, payments, () => Promise.reject(new Error('the secret of the table')));
    const refused = await payments.request('ask.contracts.worker', [], 2_000).catch((error: unknown) => error);
    expect(refused).toEqual(notNow);
    expect(JSON.stringify(refused) + String(refused)).not.toContain('secret');
  });

  it('is answered again after NATS was restarted', async () => {
    await using contracts = await connected('contracts');
    await using payments = await connected('payments');
    await answering(contracts, payments, () => Promise.resolve('yes'));
    await nats.process.kill();
    await expect
      .poll(() => payments.request('ask.contracts.worker', [], 1_000).catch(() => null), { timeout: 10_000 })
      .toBe('yes');
  });

  it('in progress is answered before its process closes', async () => {
    const contracts = await connected('contracts');
    await using payments = await connected('payments');
    const begun = Promise.withResolvers<void>();
    const result = Promise.withResolvers<string>();
    await answering(contracts, payments, () => {
      begun.resolve();
      return result.promise;
    });
    const asked = payments.request('ask.contracts.worker', [], 5_000);
    await begun.promise;
    const closed = contracts[Symbol.asyncDispose]();
    result.resolve('done');
    await closed;
    expect(await asked).toBe('done');
  });
});

describe('subscribed', () => {
  it('resolves once NATS has the subscriptions: a request right after it is answered', async () => {
    await using payments = await connected('payments');
    await using contracts = new Bus({ url: nats.urls.contracts, name: 'x', log: createLog('x', 'silent') });
    contracts.answer('ask.contracts.worker', 'contracts', () => Promise.resolve('yes'));
    await contracts.subscribed();
    expect(await payments.request('ask.contracts.worker', [], 5_000)).toBe('yes');
  });

  it('resolves when NATS cannot be reached', async () => {
    await nats.process.stop();
    await using contracts = new Bus({ url: nats.urls.contracts, name: 'x', log: createLog('x', 'silent') });
    await contracts.subscribed();
    expect(contracts.connected).toBe(false);
  });
});
