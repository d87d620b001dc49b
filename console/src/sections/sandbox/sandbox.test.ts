import { expect, it } from 'vitest';
import type { ConsoleExchange } from '../../exchange.js';
import { sandboxPages } from './sandbox.js';

it.each(Object.keys(sandboxPages))('%s is not there in a live deployment, whoever asks', async (route) => {
  // Asked for anything else, such as who is there, it would fail in another way.
  const live = { application: { deployment: 'live' } } as ConsoleExchange;
  await expect(sandboxPages[route]!(live)).rejects.toMatchObject({ code: 'NOT_FOUND' });
});
