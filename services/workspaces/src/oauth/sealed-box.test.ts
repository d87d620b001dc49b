import { createSecretKey, randomBytes, type KeyObject } from 'node:crypto';
import { expect, it } from 'vitest';
import { SealedBox } from './sealed-box.js';

const newSecret = (): KeyObject => createSecretKey(randomBytes(32));
const secret = newSecret();
const box = new SealedBox(secret, 'test');

it('opens only with the same secret, purpose and context', () => {
  const sealed = box.seal('Grüße', 'row 1');
  expect(box.open(sealed, 'row 1')).toBe('Grüße');
  expect(new SealedBox(secret, 'test').open(sealed, 'row 1')).toBe('Grüße');
  expect(() => box.open(sealed, 'row 2')).toThrow();
  expect(() => new SealedBox(secret, 'other').open(sealed, 'row 1')).toThrow();
  expect(() => new SealedBox(newSecret(), 'test').open(sealed, 'row 1')).toThrow();
});

it('seals the same text differently each time, and detects every altered byte', () => {
  expect(box.seal('same', '')).not.toBe(box.seal('same', ''));
  const bytes = Buffer.from(box.seal('text', ''), 'base64url');
  for (let at = 0; at < bytes.length; at++) {
    const altered = Buffer.from(bytes);
    altered[at]! ^= 1;
    expect(() => box.open(altered.toString('base64url'), '')).toThrow();
  }
});
