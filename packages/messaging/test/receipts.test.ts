import { unavailable } from '@payroll/kernel';
import type { Claimed } from '@payroll/store';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { Receipts } from '../src/receipts.js';
import { eventOf } from './support/fake-message.js';
import { isDone, RelayScene } from './support/relay-scene.js';
import { numbers } from './support/told.js';

let scene: RelayScene;
beforeAll(async () => {
  scene = await RelayScene.open('messaging_receipts');
});
afterAll(() => scene[Symbol.asyncDispose]());
beforeEach(() => scene.begin());
afterEach(() => scene.end());

describe('a receipt', () => {
  beforeEach(() => scene.start());

  const published = async () => {
    await scene.tellUnawaited(1);
    await expect.poll(() => scene.sequences).toEqual([1]);
    return scene.bus.published[0]!;
  };
  const struckOut = async (): Promise<boolean> => {
    await vi.advanceTimersByTimeAsync(100);
    await new Promise((resolve) => setImmediate(resolve));
    return (await scene.rows())[0]!.dueIn === null;
  };

  it.each([
    ['no JSON', () => 'no JSON'],
    ['null', () => 'null'],
    ['nothing', () => ({})],
    ['an id that is none', ({ history }: { history: string }) => ({ eventId: 'mine', history })],
    ['another event', ({ history }: { history: string }) => ({ eventId: crypto.randomUUID(), history })],
    ['another history', ({ id }: { id: string }) => ({ eventId: id, history: 'another' })],
    ['no history', ({ id }: { id: string }) => ({ eventId: id })],
  ])('that says %s confirms nothing', async (_what, contentOf) => {
    const { event, history } = await published();
    scene.bus.hear('review', contentOf({ id: event.id, history }));
    for (const _ of numbers(1, 3)) expect(await struckOut()).toBe(false);
  });

  it('in capital letters is one', async () => {
    const { event, history } = await published();
    scene.bus.hear('review', { eventId: event.id.toUpperCase(), history });
    await expect.poll(struckOut).toBe(true);
  });

  it('that cannot be written is lost, and said; the next one counts', async () => {
    const one = await published();
    vi.spyOn(scene.em, 'getConnection').mockImplementationOnce(() => {
      throw unavailable('The database');
    });
    scene.bus.confirm(one);
    await expect
      .poll(async () => (await vi.advanceTimersByTimeAsync(100), scene.log.of('warn')))
      .toEqual(['Receipts were lost; their events go out again']);
    vi.restoreAllMocks();
    scene.bus.confirm(one);
    await expect.poll(struckOut).toBe(true);
  });
});

describe('who waits for receipts', () => {
  const open = (): Receipts =>
    new Receipts({ bus: scene.bus.asBus, service: 'payments', em: scene.em, log: scene.log, alive: () => undefined });
  const claimed = (type: string): Claimed => ({
    event: { ...eventOf(), type },
    attempt: 1,
    history: 'here',
    traceparent: null,
  });
  const hear = (consumer: string, { event, history }: Claimed): void =>
    scene.bus.hear(consumer, { eventId: event.id, history });

  beforeEach(() => scene.start());

  it('waits for every consumer of every event, of which each counts once', async () => {
    await using receipts = open();
    const [one, other] = [claimed('contract.changed'), claimed('contract.changed')];
    const [both, alone] = [receipts.expect([one, other]), receipts.expect([claimed('contract.changed')])];
    hear('review', one);
    hear('review', one);
    hear('review', one);
    hear('payments', other);
    hear('contracts', one);
    hear('payments', one);
    expect(await isDone(both.fulfilled)).toBe(false);
    hear('review', { ...other, event: { ...other.event, id: other.event.id.toUpperCase() } });
    expect(await isDone(both.fulfilled)).toBe(true);
    expect(await isDone(alone.fulfilled)).toBe(false);
  });

  it('waits for nothing where there is nothing that anybody needs', async () => {
    await using receipts = open();
    expect(await isDone(receipts.expect([]).fulfilled)).toBe(true);
    expect(await isDone(receipts.expect([claimed('payment.reversed')]).fulfilled)).toBe(true);
  });

  it('and has given up is told nothing any more', async () => {
    await using receipts = open();
    const one = claimed('payment.created');
    const expected = receipts.expect([one]);
    expected.forget();
    hear('review', one);
    expect(await isDone(expected.fulfilled)).toBe(false);
  });
});
