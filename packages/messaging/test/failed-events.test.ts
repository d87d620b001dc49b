import { DomainError, newId, unavailable } from '@payroll/kernel';
import { readHistory } from '@payroll/store';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { readArrived } from '../src/arrived.js';
import { FailedEvents } from '../src/failed-event.js';
import { openDatabases, type Databases } from './support/databases.js';
import { FakeBus } from './support/fake-bus.js';
import { eventOf, messageOf } from './support/fake-message.js';
import { memoryLog } from './support/memory-log.js';

let databases: Databases;
let em: Databases['review']['em'];
let history: string;
let log: ReturnType<typeof memoryLog>;
let failed: FailedEvents;

beforeAll(async () => {
  databases = await openDatabases('messaging_failed');
  ({ em } = databases.review);
  history = await readHistory(em);
});
afterAll(() => databases[Symbol.asyncDispose]());
beforeEach(async () => {
  await em.execute('truncate dead_letter');
  log = memoryLog();
  failed = new FailedEvents({ bus: new FakeBus().asBus, em, publisher: 'payments', service: 'review', log });
});

const refusal = new DomainError('INVALID_STATE', 'It is not open.');

/** What becomes of it at the first failure, or after so many. */
async function outcomeOf(content: unknown, error: unknown, { times = 1, of = history } = {}): Promise<string> {
  const { message } = messageOf(content, { history: of });
  const arrived = readArrived(message);
  for (let n = 1; n < times; n++) await failed.outcomeOf(message, arrived, error);
  return await failed.outcomeOf(message, arrived, error);
}

const letters = async (): Promise<object[]> =>
  await em.execute('select event_id, workspace_id, type, event, reason, tries, state from dead_letter');

it('an event that is refused five times is buried, whole, with why and after how many tries', async () => {
  const event = eventOf();
  expect(await outcomeOf(event, refusal, { times: 4 })).toBe('retried');
  expect(await letters()).toEqual([]);
  expect(await outcomeOf(event, refusal)).toBe('buried');
  expect(await letters()).toEqual([
    {
      event_id: event.id,
      workspace_id: event.workspaceId,
      type: 'payment.created',
      event,
      reason: 'It is not open.',
      tries: 5,
      state: 'waiting',
    },
  ]);
  expect(log.of('error')).toEqual(['An event was buried as a dead letter']);
  expect(log.entries.at(-1)!.details).toMatchObject({ eventId: event.id, eventType: 'payment.created' });
});

it('values that Postgres refuses are buried as well; what may be our mistake is held', async () => {
  const bad = Object.assign(new Error('no number'), { code: '22P02' });
  expect(await outcomeOf(eventOf(), bad, { times: 5 })).toBe('buried');
  expect(await outcomeOf(eventOf(), new TypeError('a mistake of ours'), { times: 5 })).toBe('held');
  expect(await letters()).toHaveLength(1);
  expect(log.entries.at(-1)).toMatchObject({
    message: 'An event that this version cannot apply is held',
    details: { eventType: 'payment.created', error: { name: 'TypeError' } },
  });
});

it('one of another history is not buried', async () => {
  expect(await outcomeOf(eventOf(), refusal, { times: 5, of: 'another' })).toBe('dropped');
  expect(await letters()).toEqual([]);
});

it('one without an id cannot be counted, and is buried at once under one of its own', async () => {
  expect(await outcomeOf({ type: 'payment.created', body: 'half of it' }, new TypeError('of whoever sent it'))).toBe(
    'buried',
  );
  expect(await letters()).toMatchObject([
    { workspace_id: '00000000-0000-0000-0000-000000000000', event: { body: 'half of it' }, tries: 5 },
  ]);
});

it('one that is no JSON is buried as its text', async () => {
  expect(await outcomeOf('not JSON\0', refusal)).toBe('buried');
  expect(await letters()).toMatchObject([{ type: 'unknown', event: 'not JSON' }]);
});

it('outages are not counted, and what came out of the stream begins anew', async () => {
  const event = eventOf();
  const arrived = readArrived(messageOf(event, { history }).message);
  await outcomeOf(event, refusal, { times: 4 });
  expect(await outcomeOf(event, unavailable('The database'), { times: 10 })).toBe('postponed');
  failed.forget(readArrived(messageOf({ ...event, id: newId() }).message));
  failed.forget(readArrived(messageOf('not JSON').message));
  expect(await outcomeOf(event, refusal)).toBe('buried');
  failed.forget(arrived);
  expect(await outcomeOf(event, refusal)).toBe('retried');
});

it('what has arrived is known before it is known to be an event', () => {
  const event = eventOf();
  expect(readArrived(messageOf(event, { history, traceparent: '00-1-a-01' }).message)).toEqual({
    id: event.id,
    type: 'payment.created',
    workspaceId: event.workspaceId,
    requestId: 'req_1',
    occurredAt: event.occurredAt,
    history,
    aboutId: event.aboutId,
    traceparent: '00-1-a-01',
    content: event,
  });
  const nothing = { id: null, type: 'unknown', workspaceId: '', requestId: '', occurredAt: null, aboutId: undefined };
  for (const content of [
    null,
    7,
    'text',
    {},
    { id: 7, type: 7, workspaceId: 7, requestId: 7, occurredAt: 7, aboutId: 7 },
  ]) {
    expect(readArrived(messageOf(JSON.stringify(content), { history: null }).message)).toMatchObject({
      ...nothing,
      history: null,
      content,
    });
  }
});
