import { expect, it } from 'vitest';
import { Lanes } from './lanes.js';

it('keeps the order of one key while another key goes on', async () => {
  const lanes = new Lanes(4);
  const done: string[] = [];
  const gate = Promise.withResolvers<void>();
  lanes.add('a', async () => {
    await gate.promise;
    done.push('a1');
  });
  lanes.add('a', () => Promise.resolve(void done.push('a2')));
  lanes.add('b', () => {
    done.push('b');
    gate.resolve();
    return Promise.resolve();
  });
  await lanes.idle();
  expect(done).toEqual(['b', 'a1', 'a2']);
});
