import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { asVersion8, derivedId, isDerivedId, isId, newId } from './id.js';

const DNS_NAMESPACE = '6ba7b8109dad11d180b400c04fd430c8';

it('has the layout of the example in RFC 9562, appendix B.2', () => {
  const digest = createHash('sha256').update(DNS_NAMESPACE, 'hex').update('www.example.com').digest();
  expect(digest.toString('hex')).toBe('5c146b143c524afd938a375d0df1fbf6fe12a66b645f72f6158759387e51f3c8');
  expect(asVersion8(digest)).toBe('5c146b14-3c52-8afd-938a-375d0df1fbf6');
});

it('is the same for the same parts in every process and release', () => {
  expect(derivedId('principal', 'key', 'fingerprint')).toBe('6117c1d1-cb8a-8f01-be9a-bb4cd7e67d14');
});

it('has version 8 and variant 10, and 122 bits of the digest', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (digest) => {
      const id = asVersion8(digest);
      const bits = (hex: string): bigint => BigInt(`0x${hex}`);
      const [made, given] = [bits(id.replaceAll('-', '')), bits(Buffer.from(digest.slice(0, 16)).toString('hex'))];
      const fixed = (0xfn << 76n) | (0x3n << 62n);
      expect(made & fixed).toBe((0x8n << 76n) | (0x2n << 62n));
      expect(made & ~fixed).toBe(given & ~fixed);
      expect([isId(id), isDerivedId(id)]).toEqual([true, true]);
    }),
  );
});

it('differs for other parts, however they are split', () => {
  const cuts = [['ab', 'c'], ['a', 'bc'], ['abc'], ['', 'abc'], ['a,b', 'c'], ['a', 'b,c'], ['a"', 'b'], ['a', '"b']];
  expect(new Set(cuts.map((parts) => derivedId(...parts))).size).toBe(cuts.length);
});

it('is distinguished from random ids', () => {
  for (const id of [newId(), crypto.randomUUID(), 'none', '00000000-0000-0000-0000-000000000000']) {
    expect(isDerivedId(id)).toBe(false);
  }
  expect(isDerivedId(derivedId('a').toUpperCase())).toBe(true);
});
