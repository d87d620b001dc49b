import { expect, it } from 'vitest';
import type { ConsoleContext } from '../../console-context.js';
import { sandboxPages } from './sandbox.js';

it.each(Object.keys(sandboxPages))('%s is 404 in a live deployment', async (route) => {
  // Any other request, such as one for the signed-in person, would fail in another way.
  const live = { application: { deployment: 'live' } } as ConsoleContext;
  await expect(sandboxPages[route]!(live)).rejects.toMatchObject({ code: 'NOT_FOUND' });
});
