import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { openSite } from './site.js';
import { startUnreliableMailServer } from './unreliable-mail-server.js';

it('invitations that the mail server refused do not count: the next one is mailed', async () => {
  await using server = await startUnreliableMailServer();
  server.treat = () => ({ treatment: 'refuse', afterMs: 0 });
  await using site = await openSite('people_refused_mail', {}, { url: server.url, from: 'a@example.com' });
  const own = await site.workspaces.provision();
  const { browser } = await site.person(own);
  const path = `/workspaces/${own.workspaceId}/members/invite`;
  const fields = { name: 'Grace', email: 'grace@example.com', role: 'viewer', by: 'mail' };
  const invite = async () => (await browser.submit(await browser.get(path), path, fields)).status;
  for (let n = 0; n < 5; n += 1) expect(await invite()).toBe(503);
  server.treat = () => ({ treatment: 'accept', afterMs: 0 });
  expect(await invite()).toBe(303);
});

it('links to a new address that the mail server refused do not count: the next one is mailed', async () => {
  await using server = await startUnreliableMailServer();
  server.treat = () => ({ treatment: 'refuse', afterMs: 0 });
  await using site = await openSite('people_refused_link', {}, { url: server.url, from: 'a@example.com' });
  const { browser } = await site.person(await site.workspaces.provision());
  const path = '/account/address';
  const request = async (n: number) =>
    (await browser.submit(await browser.get(path), path, { email: `new-${n}@example.com` })).status;
  for (let n = 0; n < 5; n += 1) expect(await request(n)).toBe(503);
  server.treat = () => ({ treatment: 'accept', afterMs: 0 });
  expect(await request(5)).toBe(303);
});

it('an invitation does not wait for a silent mail server, and the page says so', async () => {
  await using silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const url = `smtp://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  await using slow = await openSite('people_slow_mail', {}, { url, from: 'a@example.com' });
  const own = await slow.workspaces.provision();
  const { browser } = await slow.person(own);
  const path = `/workspaces/${own.workspaceId}/members/invite`;
  const fields = { name: 'Grace', email: 'grace@example.com', role: 'viewer', by: 'mail' };
  const answer = await browser.submit(await browser.get(path), path, fields);
  expect([answer.status, answer.text]).toEqual([503, expect.stringContaining('The mail could not be sent.')]);
  expect(answer.text).not.toContain('/invitations/');
  expect((await browser.get(`/workspaces/${own.workspaceId}/members`)).text).toContain('grace@example.com');
});
