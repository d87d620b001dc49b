import { connectNats, whyNoReply, type Bus, type RequestHandler } from '@payroll/bus';
import { startTestNats } from '@payroll/infra/test-server';
import { createLog } from '@payroll/process';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

let nats: Awaited<ReturnType<typeof startTestNats>>;
beforeAll(async () => {
  nats = await startTestNats();
});
beforeEach(() => nats.process.start());
afterAll(() => nats[Symbol.asyncDispose]());

async function connected(user: 'workspaces' | 'rest-facade'): Promise<Bus> {
  const bus = connectNats({ url: nats.urls[user], name: user, log: createLog(user, 'silent') });
  await expect.poll(() => bus.connected).toBe(true);
  return bus;
}

/** Answers admission, and waits until the server knows: the two connections race otherwise. */
async function answering(workspaces: Bus, facade: Bus, handler: RequestHandler): Promise<void> {
  workspaces.answer('admission.check', 'workspaces', (body) =>
    body === 'hello' ? Promise.resolve(body) : handler(body),
  );
  await expect.poll(() => facade.request('admission.check', 'hello', 1_000).catch(() => null)).toBe('hello');
}

const notNow: unknown = expect.objectContaining({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 1 });

describe('request', () => {
  it('gives the handler’s answer', async () => {
    await using workspaces = await connected('workspaces');
    await using facade = await connected('rest-facade');
    await answering(workspaces, facade, (body) => Promise.resolve({ asked: body }));
    expect(await facade.request('admission.check', [1, 2], 1_000)).toEqual({ asked: [1, 2] });
  });

  it('is unavailable at once where nobody listens', async () => {
    await using facade = await connected('rest-facade');
    const before = performance.now();
    const error: unknown = await facade.request('admission.check', [], 10_000).catch((thrown: unknown) => thrown);
    expect(performance.now() - before).toBeLessThan(2_000);
    expect([error, whyNoReply(error)]).toEqual([notNow, 'no_responders']);
  });

  it('is unavailable when the answer takes too long', async () => {
    await using workspaces = await connected('workspaces');
    await using facade = await connected('rest-facade');
    const late = Promise.withResolvers<string>();
    await answering(workspaces, facade, () => late.promise);
    const error: unknown = await facade.request('admission.check', [], 100).catch((thrown: unknown) => thrown);
    expect([error, whyNoReply(error)]).toEqual([notNow, 'timeout']);
    late.resolve('too late');
  });

  it('is unavailable, at once, while NATS is down', async () => {
    await using facade = await connected('rest-facade');
    await nats.process.stop();
    await expect.poll(() => facade.connected).toBe(false);
    const before = performance.now();
    const error: unknown = await facade.request('admission.check', [], 10_000).catch((thrown: unknown) => thrown);
    expect(performance.now() - before).toBeLessThan(500);
    expect([error, whyNoReply(error)]).toEqual([notNow, 'disconnected']);
  });

  it('never carries what a handler threw', async () => {
    await using workspaces = await connected('workspaces');
    await using facade = await connected('rest-facade');
    await answering(workspaces, facade, () => Promise.reject(new Error('the secret of the table')));
    const refused = await facade.request('admission.check', [], 2_000).catch((error: unknown) => error);
    expect(refused).toEqual(notNow);
    expect(JSON.stringify(refused) + String(refused)).not.toContain('secret');
  });

  it('is answered again after NATS was restarted', async () => {
    await using workspaces = await connected('workspaces');
    await using facade = await connected('rest-facade');
    await answering(workspaces, facade, () => Promise.resolve('yes'));
    await nats.process.kill();
    await expect
      .poll(() => facade.request('admission.check', [], 1_000).catch(() => null), { timeout: 10_000 })
      .toBe('yes');
  });

  it('that is being answered is answered before its process closes', async () => {
    const workspaces = await connected('workspaces');
    await using facade = await connected('rest-facade');
    const begun = Promise.withResolvers<void>();
    const result = Promise.withResolvers<string>();
    await answering(workspaces, facade, () => {
      begun.resolve();
      return result.promise;
    });
    const asked = facade.request('admission.check', [], 5_000);
    await begun.promise;
    const closed = workspaces[Symbol.asyncDispose]();
    result.resolve('done');
    await closed;
    expect(await asked).toBe('done');
  });
});

describe('subscribed', () => {
  it('resolves once NATS has the subscriptions: a request right after it is answered', async () => {
    await using facade = await connected('rest-facade');
    await using workspaces = connectNats({ url: nats.urls.workspaces, name: 'x', log: createLog('x', 'silent') });
    workspaces.answer('admission.check', 'workspaces', () => Promise.resolve('yes'));
    await workspaces.subscribed();
    expect(await facade.request('admission.check', [], 5_000)).toBe('yes');
  });

  it('resolves when NATS cannot be reached', async () => {
    await nats.process.stop();
    await using workspaces = connectNats({ url: nats.urls.workspaces, name: 'x', log: createLog('x', 'silent') });
    await workspaces.subscribed();
    expect(workspaces.connected).toBe(false);
  });
});
