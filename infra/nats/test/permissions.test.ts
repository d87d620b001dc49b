import { afterAll, expect, test } from 'vitest';
import { SERVICES, type ServiceName } from '@payroll/kernel';
import { connectAllUsers, connectAs, isConsumer, pairs } from './all-users.js';

const users = await connectAllUsers();
afterAll(() => users[Symbol.asyncDispose]());

test("inboxes are private: no user can subscribe to another's, or publish to it without a request", async () => {
  for (const user of SERVICES) {
    expect(await users.maySubscribe(user, '>'), user).toBe(false);
    for (const other of SERVICES.filter((name) => name !== user)) {
      expect(await users.maySubscribe(user, `_INBOX_${other}.>`), `${user} ${other}`).toBe(false);
      expect(await users.mayPublish(user, `_INBOX_${other}.x`), `${user} ${other}`).toBe(false);
    }
  }
});

test('a reply can be sent once: the permission to reply ends with it', async () => {
  const replies: string[] = [];
  const received = Promise.withResolvers<string>();
  const answering = users.as('contracts').subscribe('ask.contracts.worker', {
    callback: (_, { reply = '' }) => received.resolve(reply),
  });
  const inbox = users.as('payments').subscribe('_INBOX_payments.own', {
    callback: (_, message) => void replies.push(message.string()),
  });
  await Promise.all([users.as('contracts').flush(), users.as('payments').flush()]);
  users.as('payments').publish('ask.contracts.worker', '{}', { reply: '_INBOX_payments.own' });
  const reply = await received.promise;
  expect(await users.mayPublish('contracts', reply)).toBe(true);
  expect(await users.mayPublish('contracts', reply)).toBe(false);
  await users.as('payments').flush();
  expect(replies).toHaveLength(1);
  for (const subscription of [answering, inbox]) subscription.unsubscribe();
});

test.each(pairs)(
  '%s requests an event from %s, and replies to its request to apply one',
  async (consumer, publisher) => {
    const answer = (subject: string, by: ServiceName) =>
      users.as(by).subscribe(subject, { queue: by, callback: (_, message) => void message.respond('here') });
    const answering = [answer(`ask.${publisher}.event`, publisher), answer(`events.*.${consumer}`, consumer)];
    await Promise.all([users.as(publisher).flush(), users.as(consumer).flush()]);
    expect((await users.as(consumer).request(`ask.${publisher}.event`)).string()).toBe('here');
    expect((await users.as(publisher).request(`events.${publisher}.${consumer}`)).string()).toBe('here');
    for (const subscription of answering) subscription.unsubscribe();
  },
);

test.each(SERVICES)('%s publishes events in its own name only, and receives only those for itself', async (user) => {
  for (const publisher of SERVICES) {
    const isConsuming = isConsumer(user, publisher);
    if (!isConsuming) expect(await users.mayPublish(user, `ask.${publisher}.event`)).toBe(false);
    if (user === publisher) continue;
    expect(await users.maySubscribe(user, `ask.${publisher}.event`)).toBe(false);
    expect(await users.maySubscribe(user, `events.*.${publisher}`)).toBe(false);
    for (const consumer of SERVICES) {
      expect(await users.mayPublish(user, `events.${publisher}.${consumer}`), `${publisher} ${consumer}`).toBe(false);
    }
  }
  for (const subject of ['events.>', 'events.*.*', '$JS.API.INFO', '$JS.API.STREAM.CREATE.events']) {
    expect(await users.maySubscribe(user, subject), subject).toBe(false);
    expect(await users.mayPublish(user, subject), subject).toBe(false);
  }
});

test('a wrong password and a missing password are refused', async () => {
  const url = new URL(users.nats.urls.review);
  url.password = 'guess';
  for (const wrong of [url.href, users.nats.url]) await expect(connectAs(wrong)).rejects.toThrow(/authorization/i);
});
