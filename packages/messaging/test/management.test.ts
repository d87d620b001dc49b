import { ensureStream, lookAtStreams } from '@payroll/messaging';
import type { Bus } from '@payroll/bus';
import { NatsError } from 'nats';
import { beforeEach, describe, expect, it } from 'vitest';
import { consumerSettings, ensureConsumer, isNoResponders, streamSettings, updateStream } from '../src/streams.js';
import { FakeJetStream } from './support/fake-jetstream.js';
import { memoryLog } from './support/memory-log.js';

let jetStream: FakeJetStream;
let log: ReturnType<typeof memoryLog>;
beforeEach(() => {
  jetStream = new FakeJetStream();
  log = memoryLog();
});

const wanted = { ...streamSettings('review'), num_replicas: 1 };
const consumer = { deliver_policy: 'all', ack_policy: 'explicit', ...consumerSettings, durable_name: 'review' };

describe('the stream of a service', () => {
  it('is made where it is missing, with as many replicas as are asked for', async () => {
    expect(await ensureStream(jetStream.connection, 'review')).toBe(true);
    expect(jetStream.told).toEqual([['add', wanted]]);
    expect(await ensureStream(jetStream.connection, 'review')).toBe(false);
    jetStream.stream = null;
    await ensureStream(jetStream.connection, 'review', 3);
    expect(jetStream.stream).toMatchObject({ num_replicas: 3, subjects: ['events.review.>'], storage: 'file' });
  });

  it('is not made because JetStream is busy', async () => {
    jetStream.isBusy = true;
    await expect(ensureStream(jetStream.connection, 'review')).rejects.toThrow('busy');
    expect(jetStream.told).toEqual([]);
  });

  const change = (replicas = 1): Promise<boolean> =>
    updateStream(jetStream.connection, { service: 'review', replicas, log });

  it('is left alone where it is as it should be, whatever else an operator has set', async () => {
    jetStream.stream = { ...wanted, max_bytes: 7 };
    expect(await change()).toBe(true);
    expect([jetStream.told, log.entries]).toEqual([[], []]);
  });

  it('is changed in place, which is said', async () => {
    jetStream.stream = { ...wanted, subjects: ['of.before'], max_bytes: 7 };
    expect(await change(3)).toBe(true);
    expect(jetStream.stream).toEqual({ ...wanted, num_replicas: 3, max_bytes: 7 });
    expect(log.entries).toEqual([
      {
        level: 'info',
        details: { stream: 'events-review', changes: ['subjects', 'num_replicas'] },
        message: 'Changed the stream',
      },
    ]);
  });

  it('that cannot be changed yet is used all the same', async () => {
    jetStream.stream = { ...wanted, num_replicas: 3 };
    jetStream.refuses = 'update';
    expect(await change()).toBe(false);
    expect(log.of('warn')).toEqual(['The stream could not be changed yet']);
    expect(log.entries[0]!.details).toMatchObject({ stream: 'events-review', replicas: 1 });
  });
});

describe('the consumer of a service', () => {
  const ensure = () => ensureConsumer(jetStream.connection, { publisher: 'payments', service: 'review', log });

  it('is made where it is missing, and takes all that is there', async () => {
    expect(await ensure()).toEqual({ config: consumer });
    expect(jetStream.told).toEqual([['add', consumer]]);
  });

  it('is left alone where it is as it should be', async () => {
    jetStream.consumer = consumer;
    expect(await ensure()).toEqual({ config: consumer });
    expect(jetStream.told).toEqual([]);
  });

  it('is changed in place, which is said', async () => {
    jetStream.consumer = { ...consumer, max_deliver: 5 };
    expect(await ensure()).toMatchObject({ config: { max_deliver: -1 } });
    expect(jetStream.told).toEqual([['update', consumerSettings]]);
    expect(log.entries[0]).toMatchObject({ details: { consumer: 'review', changes: ['max_deliver'] } });
  });

  it('that cannot be changed is used all the same', async () => {
    jetStream.consumer = { ...consumer, max_deliver: 5 };
    jetStream.refuses = 'update';
    expect(await ensure()).toMatchObject({ config: { max_deliver: 5 } });
    expect(log.of('warn')).toEqual(['The consumer could not be changed']);
    expect(log.entries[0]!.details).toMatchObject({ stream: 'events-payments', changes: ['max_deliver'] });
  });

  it('is not made because JetStream says anything else than that it is missing', async () => {
    jetStream.isBusy = true;
    await expect(ensure()).rejects.toThrow('busy');
    expect(jetStream.told).toEqual([]);
  });
});

it('that nobody takes a message is told from all other errors', () => {
  expect(isNoResponders(new NatsError('no responders', '503'))).toBe(true);
  expect(isNoResponders(new NatsError('time-out', 'TIMEOUT'))).toBe(false);
  expect(isNoResponders(Object.assign(new Error('of another'), { code: '503' }))).toBe(false);
});

describe('the doctor', () => {
  const look = async (replicas = 1, bus = { connection: jetStream.connection } as Bus): Promise<string[]> => {
    const found = await lookAtStreams({ bus, service: 'review', publishers: ['payments'], replicas });
    return found.map(({ ok, what, seen }) => (ok ? `ok ${what}` : `${what}: ${seen}`));
  };
  const WELL = [
    'ok review reaches NATS',
    'ok JetStream has room for what review tells others',
    'ok the stream events-review is there',
    'ok the stream events-review is set as review sets it',
    'ok events-review has 1 replicas',
    'ok every replica of events-review is current',
    'ok review consumes events-payments',
    'ok the consumer review of events-payments is set as review sets it',
    'ok review keeps up with events-payments',
  ];
  const but = (place: number, text: string): string[] => WELL.map((line, n) => (n === place ? text : line));

  beforeEach(() => {
    jetStream.stream = wanted;
    jetStream.consumer = consumer;
    jetStream.state = { num_pending: 999, num_ack_pending: 7, cluster: { replicas: [{ name: 'n1', current: true }] } };
  });

  it('finds all well', async () => {
    expect(await look()).toEqual(WELL);
    jetStream.state = { num_pending: 0, num_ack_pending: 0 };
    expect(await look()).toEqual(WELL);
  });

  it('finds what is not reached', async () => {
    const found = await look(1, { connection: undefined } as Bus);
    expect(found).toEqual(['review reaches NATS: no connection within the time']);
  });

  it('finds what is missing', async () => {
    jetStream.stream = null;
    jetStream.consumer = null;
    expect(await look()).toEqual([
      ...WELL.slice(0, 2),
      'the stream events-review is there: not found',
      'review consumes events-payments: not found',
    ]);
  });

  it('finds settings, replicas and room that are not as they should be', async () => {
    jetStream.stream = { ...wanted, max_age: 1 };
    expect(await look()).toEqual(but(3, 'the stream events-review is set as review sets it: otherwise: max_age'));
    jetStream.stream = wanted;
    expect(await look(3)).toEqual(
      but(4, 'events-review has 3 replicas: it has 1').map((line) =>
        line.replace(/^ok events-review has 1/, 'ok events-review has 3'),
      ),
    );
    jetStream.consumer = { ...consumer, ack_wait: 1 };
    expect(await look()).toEqual(
      but(7, 'the consumer review of events-payments is set as review sets it: otherwise: ack_wait'),
    );
    jetStream.consumer = consumer;
    jetStream.account = { storage: 2 ** 20, limits: { max_storage: 2 ** 20 } };
    expect((await look())[1]).toMatch(/1 MiB are used and 0 MiB reserved, of 1 MiB/);
  });

  it('finds who is behind', async () => {
    const [current, late, gone] = [{ current: true }, { current: false }, { current: true, offline: true }];
    const replicas = [
      { name: 'n1', ...current },
      { name: 'n2', ...late },
      { name: 'n3', ...gone },
    ];
    jetStream.state = { num_pending: 1_000, num_ack_pending: 7, cluster: { replicas } };
    const found = await look();
    expect(found[5]).toBe('every replica of events-review is current: not so: n2, n3');
    expect(found[8]).toBe('review keeps up with events-payments: 1000 events wait, 7 are in hand');
  });
});
