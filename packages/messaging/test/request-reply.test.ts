import { newId } from '@payroll/kernel';
import { connectNats, type Bus, type RequestHandler } from '@payroll/bus';
import { answerAsk, ask } from '@payroll/messaging';
import { readHistory } from '@payroll/store';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Scene } from './support/scene.js';
import { tell } from './support/told.js';

let scene: Scene;
beforeAll(async () => {
  scene = await Scene.open('messaging_requests');
});
beforeEach(() => scene.reset());
afterAll(() => scene[Symbol.asyncDispose]());

async function connected(user: 'workspaces' | 'rest-facade' | 'payments' | 'review'): Promise<Bus> {
  const bus = connectNats({ url: scene.nats.urls[user], name: user, log: scene.log });
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

/** An answer that is waited for fails its test. */
const LONGER_THAN_A_TEST_MS = 600_000;

describe('request', () => {
  it('gives the handler’s answer', async () => {
    await using workspaces = await connected('workspaces');
    await using facade = await connected('rest-facade');
    await answering(workspaces, facade, (body) => Promise.resolve({ asked: body }));
    expect(await facade.request('admission.check', [1, 2], 1_000)).toEqual({ asked: [1, 2] });
  });

  it('is unavailable at once where nobody listens', async () => {
    await using facade = await connected('rest-facade');
    await expect(facade.request('admission.check', [], LONGER_THAN_A_TEST_MS)).rejects.toEqual(notNow);
  });

  it('is unavailable when the answer takes too long', async () => {
    await using workspaces = await connected('workspaces');
    await using facade = await connected('rest-facade');
    const late = Promise.withResolvers<string>();
    await answering(workspaces, facade, () => late.promise);
    await expect(facade.request('admission.check', [], 100)).rejects.toEqual(notNow);
    late.resolve('too late');
  });

  it('is unavailable, at once, while NATS is down', async () => {
    await using facade = await connected('rest-facade');
    await scene.nats.process.stop();
    await expect.poll(() => facade.connected).toBe(false);
    await expect(facade.request('admission.check', [], LONGER_THAN_A_TEST_MS)).rejects.toEqual(notNow);
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
    await scene.nats.process.kill();
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

describe('ask', () => {
  it('gives the newest event about a thing in that workspace, or null', async () => {
    await using payments = await connected('payments');
    await using review = await connected('review');
    const { em } = scene.payments;
    answerAsk({ bus: payments, em, service: 'payments' });
    const about = await tell(em, 1);
    await tell(em, 2, undefined, about);
    await tell(em, 3);

    const told = { body: { sequence: 2 }, history: await readHistory(em) };
    await expect.poll(() => ask(review, ['payment.created'], about).catch(() => null)).toMatchObject(told);
    expect(await ask(review, ['payment.failed', 'payment.created'], about)).toMatchObject(told);
    expect(await ask(review, ['payment.failed'], about)).toBeNull();
    expect(await ask(review, ['payment.created'], { ...about, workspaceId: newId() })).toBeNull();
  });

  it('is unavailable where the publisher does not say in which history it knows the event', async () => {
    await using payments = await connected('payments');
    await using review = await connected('review');
    const older = { id: newId(), type: 'payment.created', workspaceId: newId() };
    payments.answer('ask.payments.event', 'payments', () => Promise.resolve(older));
    const question = { workspaceId: newId(), aboutId: newId() };
    await expect.poll(() => review.request('ask.payments.event', question, 500).catch(() => null)).toBeTruthy();
    await expect(ask(review, ['payment.created'], question)).rejects.toEqual(notNow);
  });

  it('is unavailable where the publisher does not answer', async () => {
    await using review = await connected('review');
    await expect(ask(review, ['payment.created'], { workspaceId: newId(), aboutId: newId() })).rejects.toEqual(notNow);
  });
});
