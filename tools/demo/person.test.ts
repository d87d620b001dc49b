import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { Person } from './person.js';

it('a person whose requests go to another address of the pages sends the public one as Host and Origin', async () => {
  const seen: unknown[] = [];
  const server = createServer(({ method, url, headers: { host, origin } }, response) => {
    seen.push([method, url, host, origin]);
    response.end('<form method="post" action="/sign-in"></form>');
  }).listen(0, '127.0.0.1');
  await using _server = { [Symbol.asyncDispose]: async () => void (await once(server.close(), 'close')) };
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  const person = new Person(`http://127.0.0.1:${port}`, 'https://pay.example');
  await person.signIn('ada@pay.example', 'a password');
  expect(seen).toEqual([
    ['GET', '/sign-in', 'pay.example', undefined],
    ['POST', '/sign-in', 'pay.example', 'https://pay.example'],
  ]);
});
