import { EventFormatError } from '@payroll/events';
import { DomainError, unavailable } from '@payroll/kernel';
import { beforeEach, describe, expect, it } from 'vitest';
import { ApplierScene } from './support/applier-scene.js';
import { eventOf, messageOf } from './support/fake-message.js';

let scene: ApplierScene;
beforeEach(() => {
  scene = new ApplierScene();
});

/** What the publisher is told. */
const receiptOf = (event: { id: string }) => ({
  subject: 'receipts.payments.review',
  body: { eventId: event.id, history: 'here' },
});

describe('an event', () => {
  it.each(['applied', 'replayed'] as const)('that is %s is acknowledged, and its publisher told', async (applied) => {
    scene.came = () => applied;
    const event = eventOf();
    expect(await scene.answersTo(event)).toEqual(['ack']);
    expect(scene.asked).toEqual([event.id]);
    expect(scene.bus.said).toEqual([receiptOf(event)]);
    expect(scene.log.of('info')).toEqual(['An event was applied']);
    expect(scene.log.entries[0]!.details).toEqual({
      requestId: 'req_1',
      eventId: event.id,
      eventType: 'payment.created',
      publisher: 'payments',
    });
  });

  it.each(['elsewhere', null] as const)(
    'of another history (%s) is dropped; the publisher learns only which one this is',
    async (history) => {
      scene.came = () => 'elsewhere';
      expect(await scene.answersTo(eventOf(), { history: history === null ? null : 'another' })).toEqual(['ack']);
      expect(scene.asked).toHaveLength(history === null ? 0 : 1);
      expect(scene.bus.said).toEqual([]);
      expect(scene.signs).toContain('hurry');
      expect(scene.log.of('warn')).toEqual(['An event of another history of the database was dropped']);
    },
  );

  it.each([
    ['of a type that nobody here knows', { ...eventOf(), type: 'payment.reversed' }],
    ['without a type', { ...eventOf(), type: undefined }],
    ['that is no event', null],
    ['that is no JSON', 'not JSON \0'],
  ])('%s is held: nobody is told that it arrived', async (_what, content) => {
    expect(await scene.answersTo(content)).toEqual(['ack']);
    expect([scene.asked, scene.bus.said, scene.signs]).toEqual([[], [], ['caught up']]);
    expect(scene.log.of('error')).toEqual(['An event of a type that this version does not know is held']);
  });

  it('that is routed to nobody here is let go without a word', async () => {
    expect(await scene.answersTo(eventOf(), {}, scene.applier({}))).toEqual(['ack']);
    expect([scene.asked, scene.bus.said, scene.log.entries]).toEqual([[], [], []]);
  });

  it('of a form that nobody here knows is held', async () => {
    const { body, ...event } = eventOf();
    expect(await scene.answersTo({ ...event, body: { ...body, status: 7 } })).toEqual(['ack']);
    expect([scene.asked, scene.bus.said]).toEqual([[], []]);
    expect(scene.log.of('error')).toEqual(['An event that this version cannot apply is held']);
  });

  it('during an outage is handed back, however often, and nobody is told', async () => {
    scene.came = () => Promise.reject(unavailable('The database'));
    const applier = scene.applier();
    const event = eventOf();
    for (let n = 1; n <= 10; n++) {
      expect(await scene.answersTo(event, { redeliveries: n }, applier)).toEqual([n < 3 ? 'soon' : expect.any(String)]);
    }
    expect(scene.bus.said).toEqual([]);
    expect(scene.log.of('warn')).toEqual(Array<string>(10).fill('An event cannot be applied at the moment'));
  });

  it('that fails by a mistake of ours is tried five times, and then held', async () => {
    scene.came = () => Promise.reject(new TypeError('undefined is not a function'));
    const applier = scene.applier();
    const event = eventOf();
    const answers: string[][] = [];
    for (let n = 1; n <= 5; n++) answers.push(await scene.answersTo(event, {}, applier));
    expect(answers).toEqual([['soon'], ['soon'], [expect.any(String)], ['later'], ['ack']]);
    expect(scene.log.of('warn')).toEqual(Array<string>(4).fill('An event failed and is tried again'));
    expect(scene.log.entries[0]!.details).toMatchObject({ eventId: event.id, failures: 1 });
    expect(scene.log.of('error')).toEqual(['An event that this version cannot apply is held']);
    // Offered again, it has all its tries.
    expect(await scene.answersTo(event, {}, applier)).toEqual(['soon']);
  });

  it('that the command refuses and that cannot be buried now is handed back for a while', async () => {
    scene.came = () => Promise.reject(new DomainError('INVALID_STATE', 'It is not open.'));
    const applier = scene.applier();
    const event = eventOf();
    for (let n = 1; n <= 4; n++) await scene.answersTo(event, {}, applier);
    expect(await scene.answersTo(event, {}, applier)).toEqual(['later']);
    expect(scene.bus.said).toEqual([]);
    expect(scene.log.of('warn').at(-1)).toBe('An event can neither be applied nor buried now');
  });

  it('whose id is none fails once', async () => {
    scene.came = () => Promise.reject(new EventFormatError('payment.created', 'id', 'is none'));
    expect(await scene.answersTo({ ...eventOf(), id: 'mine' })).toEqual(['later']);
    expect(scene.log.of('warn')).toEqual(['An event can neither be applied nor buried now']);
  });

  it('whose connection is gone is left unconfirmed', async () => {
    const event = eventOf();
    const { message } = messageOf(event);
    message.ack = () => {
      throw new Error('closed');
    };
    const applier = scene.applier();
    applier.enqueue(message, scene.alive);
    await applier.idle();
    expect(scene.bus.said).toEqual([]);
    expect(scene.log.of('warn')).toEqual(['An event was left unconfirmed']);
  });
});
