import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, test } from 'vitest';
import { findPort, releasePort } from '../ports.js';

test.each(['127.0.0.1', '0.0.0.0'])(
  'a port that another program listens on (%s) is replaced by a free one',
  async (host) => {
    const other = createServer().listen(0, host);
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;

    const found = await findPort(port);

    expect(found).not.toBe(port);
    const mine = createServer().listen(found, '127.0.0.1');
    await once(mine, 'listening');
    mine.close();
    other.close();
  },
);

test('one port is not assigned twice, even if no program listens on it yet', async () => {
  const port = await findPort(0, 'free');
  releasePort(port);
  expect(await findPort(port)).toBe(port);
  expect(await findPort(port)).not.toBe(port);
});
