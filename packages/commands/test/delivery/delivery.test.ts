import { deleteExpiredEvents, type Commands } from '@payroll/commands';
import { read, sql, write } from '@payroll/store';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { emit, emitMany, makeDue, numbers, outbox, runnerOf, see, seen, unconfirm } from './events.js';
import { claimDue } from '../../src/outbox/outbox.js';
import { Gate } from './gate.js';
import { HASTY, Scene } from './scene.js';

const scene = await Scene.open('commands_delivery');
beforeEach(() => scene.reset());
afterAll(() => scene[Symbol.asyncDispose]());

const WAIT = { timeout: 50_000 };

/** For hundreds of events on a busy machine: one whose lease ends before its turn is sent again, which takes longer still. */
const PATIENT = { ...HASTY, replyWithinMs: 900, leaseSeconds: [1] };

async function confirmed(): Promise<void> {
  await expect.poll(() => outbox(scene.payments.em), WAIT).toMatchObject({ open: 0 });
}

async function tookMs(work: () => Promise<unknown>): Promise<number> {
  const before = performance.now();
  await work();
  return performance.now() - before;
}

describe('the answer to a command', () => {
  it('waits for the reply, so that the consumer has applied the event', async () => {
    await using publisher = await scene.publisher();
    await using _consumer = await scene.consumer();
    let replied = 0;
    for (const number of numbers(1, 5)) {
      const ms = await tookMs(() => emit(scene.payments.em, number, publisher));
      // The answer waits at most a second, in which a busy machine may not deliver all of them.
      if (ms > 900) await expect.poll(() => seen(scene.review.em)).toHaveLength(number);
      else replied += 1;
      expect(await seen(scene.review.em)).toEqual(numbers(1, number));
    }
    expect(replied).toBeGreaterThan(0);
    await confirmed();
  });

  it('waits a second for a consumer that does not reply', async () => {
    await using publisher = await scene.publisher();
    await using _consumer = await scene.suspendedConsumer();
    const ms = await tookMs(() => emit(scene.payments.em, 1, publisher));
    expect(ms).toBeGreaterThan(900);
    expect(ms).toBeLessThan(1_900);
  });

  it('does not wait for a consumer that is down', async () => {
    await using publisher = await scene.publisher();
    expect(await tookMs(() => emit(scene.payments.em, 1, publisher))).toBeLessThan(900);
    expect(await outbox(scene.payments.em)).toEqual({ open: 1, attempts: 1 });
  });

  it('does not wait for an event with `awaited: false`, which is still delivered', async () => {
    await using publisher = await scene.publisher();
    const gate = new Gate();
    await using _consumer = await scene.consumer({ command: see(() => gate.pass()) });
    expect(await tookMs(() => emit(scene.payments.em, 1, { ...publisher, isAwaited: false }))).toBeLessThan(900);
    await gate.reached;
    gate.open();
    await confirmed();
    expect(await seen(scene.review.em)).toEqual([1]);
  });
});

describe('an event', () => {
  it('of a process that died right after its commit is delivered when its lease is over', async () => {
    await using _publisher = await scene.publisher(HASTY);
    await using _consumer = await scene.consumer();
    await emit(scene.payments.em, 1);
    await confirmed();
    expect(await seen(scene.review.em)).toEqual([1]);
  });

  it('is applied once and confirmed again when its confirmation was lost', async () => {
    await using publisher = await scene.publisher(HASTY);
    await using _consumer = await scene.consumer();
    await emit(scene.payments.em, 1, publisher);
    await confirmed();
    await unconfirm(scene.payments.em);
    await confirmed();
    expect(await seen(scene.review.em)).toEqual([1]);
  });

  it('is applied once when the reply is lost: another member of the group confirms it', async () => {
    const runner = runnerOf(scene.review.em);
    let lost = 0;
    const losesReplies = {
      apply: async (...what: Parameters<Commands['apply']>) => {
        await runner.apply(...what);
        lost += 1;
        return await new Promise<never>(() => undefined);
      },
    };
    await using publisher = await scene.publisher(HASTY);
    await using _first = await scene.consumer({ commands: losesReplies });
    await emit(scene.payments.em, 1, publisher);
    await expect.poll(() => lost).toBeGreaterThan(0);
    expect(await seen(scene.review.em)).toEqual([1]);
    await using _second = await scene.consumer();
    await confirmed();
    expect(await seen(scene.review.em)).toEqual([1]);
  });

  it('that is applied after the deadline of its publisher is confirmed by the next reply', async () => {
    let delayMs = 2 * HASTY.replyWithinMs;
    const command = see(async () => {
      await new Promise((resolve) => setTimeout(resolve, delayMs));
      delayMs = 0;
    });
    await using publisher = await scene.publisher(HASTY);
    await using _consumer = await scene.consumer({ command });
    await emit(scene.payments.em, 1, publisher);
    await confirmed();
    expect(await seen(scene.review.em)).toEqual([1]);
  });

  it('is applied once by several processes of both sides', async () => {
    await using one = await scene.publisher(HASTY);
    await using two = await scene.publisher(HASTY);
    await using _first = await scene.consumer();
    await using _second = await scene.consumer();
    const relays = [one, two, {}];
    await Promise.all(numbers(1, 60).map((n) => emit(scene.payments.em, n, relays[n % 3])));
    await confirmed();
    expect(await seen(scene.review.em)).toEqual(numbers(1, 60));
  });

  it('reaches the process that is left when one of two is suspended', async () => {
    await using _suspended = await scene.suspendedConsumer();
    await using _consumer = await scene.consumer();
    await emitMany(scene.payments.em, 300);
    await using _publisher = await scene.publisher(PATIENT);
    await confirmed();
    expect(await seen(scene.review.em)).toEqual(numbers(1, 300));
  }, 90_000);

  it('that was being applied when its consumer was stopped is applied by the next process', async () => {
    await using _publisher = await scene.publisher(PATIENT);
    const first = await scene.consumer();
    await emitMany(scene.payments.em, 100);
    await expect.poll(async () => (await seen(scene.review.em)).length).toBeGreaterThan(0);
    await first[Symbol.asyncDispose]();
    await using _second = await scene.consumer();
    await confirmed();
    expect(await seen(scene.review.em)).toEqual(numbers(1, 100));
  }, 90_000);
});

describe('a consumer', () => {
  it('that is down gets one probe per round, and everything once it is back', async () => {
    await emitMany(scene.payments.em, 1_000);
    await using publisher = await scene.publisher({ roundMs: HASTY.roundMs, leaseSeconds: [5] });
    // The first poll of the outbox cannot know yet that the consumer is down.
    await expect.poll(() => scene.log.of('info'), WAIT).toContain('A consumer is away; its events wait');
    const { attempts } = await outbox(scene.payments.em);
    const startedAt = performance.now();
    await expect.poll(async () => (await outbox(scene.payments.em)).attempts).toBeGreaterThanOrEqual(attempts + 10);
    const rounds = (performance.now() - startedAt) / HASTY.roundMs;
    expect((await outbox(scene.payments.em)).attempts - attempts).toBeLessThanOrEqual(rounds + 2);
    // A new event detects its return at once, without delaying its answer.
    expect(await tookMs(() => emit(scene.payments.em, 1_001, publisher))).toBeLessThan(900);

    await using _consumer = await scene.consumer();
    await makeDue(scene.payments.em);
    await confirmed();
    expect(await seen(scene.review.em)).toEqual(numbers(1, 1_001));
  }, 90_000);

  it('gets at most 128 events at a time, and the next as soon as it has replied', async () => {
    const gate = new Gate();
    let [begun, most] = [0, 0];
    const runner = runnerOf(scene.review.em);
    const slow = {
      apply: async (...what: Parameters<Commands['apply']>) => {
        most = Math.max(most, ++begun);
        await gate.pass();
        const applied = await runner.apply(...what);
        begun -= 1;
        return applied;
      },
    };
    await using _consumer = await scene.consumer({ commands: slow });
    await emitMany(scene.payments.em, 300);
    await using _publisher = await scene.publisher({ roundMs: 60_000, replyWithinMs: 30_000, leaseSeconds: [60] });
    await expect.poll(() => begun).toBe(128);
    gate.open();
    await confirmed();
    expect(most).toBe(128);
    expect(await seen(scene.review.em)).toEqual(numbers(1, 300));
  });

  it('that cannot apply some events gets the others without delay', async () => {
    const command = see(({ sequence }) => {
      if (sequence % 2 === 0) throw new TypeError('a bug');
    });
    await using _consumer = await scene.consumer({ command });
    await emitMany(scene.payments.em, 400);
    await using _publisher = await scene.publisher({ leaseSeconds: [60] });
    await expect
      .poll(() => seen(scene.review.em), { timeout: 10_000 })
      .toEqual(numbers(1, 400).filter((n) => n % 2 === 1));
    await expect.poll(() => outbox(scene.payments.em)).toMatchObject({ open: 200 });
  });
});

it('a confirmed event is deleted after its time; Postgres keeps one that a consumer awaits, and a recent one', async () => {
  const { em } = scene.payments;
  const age = (days: number) =>
    write(em, sql`update outbox_event set recorded_at = now() - make_interval(days => ${days})`);
  const rows = async () => (await read(em, sql`select from outbox_event`)).length;
  await emit(em, 1);
  await age(31);
  await deleteExpiredEvents(em, 30);
  expect(await rows()).toBe(1);
  await expect(write(em, sql`delete from outbox_event`)).rejects.toThrow('foreign key');
  await write(em, sql`delete from outbox_delivery`);
  await age(7);
  await deleteExpiredEvents(em, 1).catch(() => undefined);
  await expect(write(em, sql`delete from outbox_event`)).rejects.toThrow('keeps this row');
  await age(31);
  await Promise.all([deleteExpiredEvents(em, 30), deleteExpiredEvents(em, 30)]);
  expect(await rows()).toBe(0);
});

it('an event under way in this process is not claimed again, even after its lease', async () => {
  const { em } = scene.payments;
  await emit(em, 1);
  await makeDue(em);
  const [claimed] = await claimDue(em, 'review', { limit: 10 });
  await makeDue(em);
  const { id } = claimed!.event;
  expect(await claimDue(em, 'review', { limit: 10, except: [id] })).toEqual([]);
  expect(await claimDue(em, 'review', { limit: 10 })).toMatchObject([{ event: { id } }]);
});
