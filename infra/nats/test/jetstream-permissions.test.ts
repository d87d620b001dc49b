import { AckPolicy, JSONCodec } from 'nats';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AllUsers, connectAllUsers, isConsumer, pairs, publishers } from './all-users.js';
import { natsUsers } from '../permissions.js';

const json = JSONCodec<{ readonly n: number }>();

let users: AllUsers;
beforeAll(async () => {
  users = await connectAllUsers();
}, 60_000);
afterAll(() => users[Symbol.asyncDispose]());

test.each(publishers)('%s publishes its own events and nobody else does', async (publisher) => {
  const js = users.as(publisher).jetstream();
  const first = await js.publish(`events.${publisher}.thing.happened`, json.encode({ n: 1 }), { msgID: 'a' });
  const again = await js.publish(`events.${publisher}.thing.happened`, json.encode({ n: 1 }), { msgID: 'a' });
  expect([first.stream, again.duplicate]).toEqual([`events-${publisher}`, true]);
  for (const other of natsUsers.filter((user) => user !== publisher)) {
    expect(await users.mayPublish(other, `events.${publisher}.thing.happened`), other).toBe(false);
  }
});

test.each(pairs)(
  '%s consumes and acknowledges the events of %s by its durable pull consumer',
  async (consumer, publisher) => {
    const stream = `events-${publisher}`;
    const published = await users
      .as(publisher)
      .jetstream()
      .publish(`events.${publisher}.seen`, json.encode({ n: 7 }));
    const jsm = await users.as(consumer).jetstreamManager();
    const config = { durable_name: consumer, ack_policy: AckPolicy.Explicit, ack_wait: 2e9 };
    await jsm.consumers.add(stream, config);
    await jsm.consumers.update(stream, consumer, { max_ack_pending: 500 });
    await jsm.consumers.info(stream, consumer);

    const messages = await (await users.as(consumer).jetstream().consumers.get(stream, consumer)).consume();
    for await (const message of messages) {
      message.working();
      if (message.seq !== published.seq) {
        message.ack();
        continue;
      }
      expect(message.json()).toEqual({ n: 7 });
      expect(await message.ackAck()).toBe(true);
      break;
    }
    expect((await jsm.consumers.info(stream, consumer)).num_ack_pending).toBe(0);
  },
);

test('a consumer with one filter or with several is asked for on other subjects, which are open too', async () => {
  const jsm = await users.as('review').jetstreamManager();
  // The one of before, with another filter: newer servers refuse to create it again, and update it on the same subject.
  await jsm.consumers.update('events-contracts', 'review', { filter_subject: 'events.contracts.thing.>' });
  expect(await users.mayPublish('review', '$JS.API.CONSUMER.DURABLE.CREATE.events-contracts.review')).toBe(true);
});

test('events are lost by nobody: delete, purge and removal of messages are refused, on the own stream as on others', async () => {
  for (const user of natsUsers) {
    for (const publisher of publishers) {
      for (const verb of ['STREAM.DELETE', 'STREAM.PURGE', 'STREAM.MSG.DELETE', 'STREAM.SNAPSHOT', 'STREAM.RESTORE']) {
        expect(await users.mayPublish(user, `$JS.API.${verb}.events-${publisher}`), `${user} ${verb}`).toBe(false);
      }
      expect(await users.mayPublish(user, `$JS.API.CONSUMER.DELETE.events-${publisher}.review`), user).toBe(false);
    }
  }
});

test.each(natsUsers)('%s touches no stream and no consumer of another', async (user) => {
  for (const publisher of publishers.filter((other) => other !== user)) {
    for (const verb of ['CREATE', 'UPDATE', 'INFO', 'MSG.GET']) {
      expect(await users.mayPublish(user, `$JS.API.STREAM.${verb}.events-${publisher}`), verb).toBe(false);
    }
    const durables = natsUsers.filter((other) => other !== user || !isConsumer(user, publisher));
    for (const durable of durables) {
      for (const verb of ['CREATE', 'DURABLE.CREATE', 'INFO', 'MSG.NEXT']) {
        expect(await users.mayPublish(user, `$JS.API.CONSUMER.${verb}.events-${publisher}.${durable}`), verb).toBe(
          false,
        );
      }
      expect(await users.mayPublish(user, `$JS.ACK.events-${publisher}.${durable}.1.1.1.1.0`), durable).toBe(false);
    }
    expect(await users.mayPublish(user, `$JS.API.CONSUMER.CREATE.events-${publisher}`)).toBe(false);
    expect(await users.maySubscribe(user, `events.${publisher}.>`)).toBe(false);
    expect(await users.maySubscribe(user, `receipts.${publisher}.*`)).toBe(false);
  }
});
