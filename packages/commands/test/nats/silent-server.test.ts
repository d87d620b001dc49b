import { setTimeout as pause } from 'node:timers/promises';
import { Bus } from '@payroll/commands';
import { createLog } from '@payroll/runtime';
import { Passage } from '@payroll/tests/support/tcp-proxy';
import { startTestNats } from '@payroll/tools/local/test-server';
import { it } from 'vitest';

/** Longer than one attempt to connect, so that one is given up although the server's machine has accepted it. */
const SUSPENDED_MS = 6_500;

/** Longer than NATS waits for the credentials of a connection. */
const SETTLED_MS = 4_000;

/** A connection that was given up must not be left over: NATS would send half of the questions to it. */
it.concurrent.for(['before the first connection', 'between two connections'])(
  'a process has one connection to a NATS that was suspended %s, and answers every question',
  async (when, { expect }) => {
    await using nats = await startTestNats();
    await using passage = await Passage.to(Number(new URL(nats.url).port));
    const log = createLog('contracts', 'silent');
    const url = passage.through(nats.urls.contracts);
    const signal = (name: 'SIGSTOP' | 'SIGCONT'): boolean => process.kill(nats.process.pid!, name);
    if (when === 'before the first connection') signal('SIGSTOP');
    await using contracts = new Bus({ url, name: 'contracts', log });
    contracts.answer('ask.contracts.worker', 'contracts', (body) => Promise.resolve(body));
    if (when === 'between two connections') {
      await expect.poll(() => contracts.connected).toBe(true);
      signal('SIGSTOP');
      passage.cut();
    }
    await pause(SUSPENDED_MS);
    signal('SIGCONT');
    await expect.poll(() => contracts.connected).toBe(true);
    await pause(SETTLED_MS);
    expect(passage.open).toBe(1);

    await using payments = new Bus({ url: nats.urls.payments, name: 'payments', log });
    await expect.poll(() => payments.connected).toBe(true);
    const questions = Array.from({ length: 20 }, (_, number) => number);
    const answers = questions.map((number) => payments.request('ask.contracts.worker', number, 1_000));
    expect(await Promise.all(answers)).toEqual(questions);
  },
);
