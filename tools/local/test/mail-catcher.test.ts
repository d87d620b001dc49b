import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { startMailCatcher } from '../mail-catcher.js';

it('ends at once, though a sender keeps its connection open for the next mail', async () => {
  const mails = await startMailCatcher({ smtp: 0, page: 0 });
  const { hostname, port } = new URL(mails.url);
  const sender = connect(Number(port), hostname).on('error', () => {});
  onTestFinished(() => void sender.destroy());
  await once(sender, 'data');
  const since = performance.now();
  await mails[Symbol.asyncDispose]();
  expect(performance.now() - since).toBeLessThan(10_000);
});
