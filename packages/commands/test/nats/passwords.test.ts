import { readFileSync, writeFileSync } from 'node:fs';
import { Bus, whyNoReply } from '@payroll/commands';
import { renderNatsUsers } from '@payroll/infra/nats/config';
import { recordOf, SERVICES } from '@payroll/kernel';
import { createLog } from '@payroll/runtime';
import { startTestNats } from '@payroll/tools/local/test-server';
import { afterAll, expect, it, vi } from 'vitest';

const nats = await startTestNats();
afterAll(() => nats[Symbol.asyncDispose]());

/** The server reads these passwords, and disconnects the users that have another one. */
async function knows(password: string): Promise<void> {
  const users = renderNatsUsers(recordOf(SERVICES, () => password));
  writeFileSync(nats.configFile, readFileSync(nats.configFile, 'utf8').replace(/^authorization [^]*/m, users));
  const reloads = (): number => readFileSync(nats.logFile, 'utf8').split('Reloaded').length;
  const before = reloads();
  process.kill(nats.process.pid!, 'SIGHUP');
  await expect.poll(reloads).toBeGreaterThan(before);
}

function connect(user: 'contracts' | 'payments', password: string, otherPassword: string): Bus {
  const url = Object.assign(new URL(nats.urls[user]), { password }).href;
  return new Bus({ url, otherPassword, name: user, log: createLog(user, 'silent') });
}

it('a process with two passwords is connected at its first attempt, whichever NATS knows', async () => {
  await knows('old');
  for (const [first, second] of [
    ['old', 'new'],
    ['new', 'old'],
  ] as const) {
    await using bus = connect('contracts', first, second);
    await bus.subscribed();
    expect(bus.connected).toBe(true);
  }
});

/** On a busy machine a service may need longer than its callers repeat a question. */
const ASKED_FOR_MS = 490;

it('questions are repeated until they are answered while NATS changes the passwords of both sides', async () => {
  await knows('old');
  await using contracts = connect('contracts', 'old', 'new');
  await using payments = connect('payments', 'old', 'new');
  contracts.answer('ask.contracts.worker', 'contracts', (body) => Promise.resolve(body));
  await contracts.subscribed();
  await payments.subscribed();
  const stopping = new AbortController();
  let answered = 0;
  const asking = Array.from({ length: 4 }, async () => {
    while (!stopping.signal.aborted) {
      const askedAt = performance.now();
      try {
        expect(await payments.request('ask.contracts.worker', answered, 2_000)).toEqual(expect.any(Number));
        answered += 1;
      } catch (error) {
        if (!['disconnected', 'no_responders'].includes(whyNoReply(error))) throw error;
        expect(performance.now() - askedAt).toBeGreaterThan(ASKED_FOR_MS);
      }
    }
  });
  const asked = Promise.all(asking);
  for (const password of ['new', 'old', 'new']) {
    const before = answered;
    await Promise.race([knows(password), asked]);
    await Promise.race([vi.waitUntil(() => answered > before + 50, { timeout: 20_000 }), asked]);
  }
  stopping.abort();
  await asked;
});

it('with two wrong passwords a process keeps trying, and is connected once one of them is right', async () => {
  await knows('third');
  await using payments = connect('payments', 'old', 'new');
  await payments.subscribed();
  expect(payments.connected).toBe(false);
  const refused: unknown = await payments
    .requestOnce('ask.contracts.worker', [], 1_000)
    .catch((error: unknown) => error);
  expect(whyNoReply(refused)).toBe('disconnected');
  await knows('new');
  await expect.poll(() => payments.connected).toBe(true);
});
