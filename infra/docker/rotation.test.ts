import { expect, test } from 'vitest';
import { inUse, malformed, rotated } from '../rotation.js';

const files = new Map([
  ['nats.review', 'old'],
  ['nats.payments', 'paid'],
  ['oauth-secret', 'kept'],
]);
const fresh = new Map([...files.keys()].map((name) => [name, `new ${name}`]));

test('a file holds the old value, then both, then the new one; the first is in use', () => {
  const begun = rotated('begin', ['nats.review'], files, fresh);
  expect([...begun]).toEqual([['nats.review', 'old,new nats.review']]);
  expect(inUse('old,new nats.review')).toBe('old');
  const switched = rotated('switch', ['nats.review'], begun, fresh);
  expect([...switched]).toEqual([['nats.review', 'new nats.review,old']]);
  expect([...rotated('finish', ['nats.review'], switched, fresh)]).toEqual([['nats.review', 'new nats.review']]);
});

test('rotates all secrets that begin with a name', () => {
  expect([...rotated('begin', ['nats'], files, fresh).keys()]).toEqual(['nats.review', 'nats.payments']);
});

test('refuses a step out of order, an unknown name, and a secret that has one reader of one value', () => {
  const step = (...of: [Parameters<typeof rotated>[0], string, string?]) => {
    const [which, name, text = files.get(name) ?? ''] = of;
    return () => rotated(which, [name], new Map([[name, text]]), fresh);
  };
  expect(step('begin', 'nats.review', 'a,b')).toThrow('nats.review has two values');
  expect(step('switch', 'nats.review')).toThrow('nats.review has one value, so its rotation has not begun');
  expect(step('begin', 'nats.review', '')).toThrow('SECRETS_DIR has no nats.review');
  expect(step('begin', 'nats.revie')).toThrow('there is no secret "nats.revie"');
  expect(step('begin', 'oauth-secret')).toThrow('oauth-secret is not rotated like this');
});

test.each([',', 'a,', ',a', 'a,b,c', 'a,a'])('"%s" is neither one value nor two', (text) => {
  expect(malformed(new Map([['nats.review', text]]))).toEqual(['nats.review']);
  expect(malformed(new Map([['postgres-password', text]]))).toEqual([]);
});
